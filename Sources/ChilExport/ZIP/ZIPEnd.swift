/// What stands at an archive's end and says where its directory is (APPNOTE.TXT 4.3.14–4.3.16).
struct ZIPEnd {
    let entryCount: UInt64
    let start: UInt64
    let byteCount: UInt64

    var bytes: [UInt8] {
        var end = LittleEndian()
        if entryCount >= ZIPFormat.max16 || start >= ZIPFormat.max32 || byteCount >= ZIPFormat.max32 {
            end.append(ZIPFormat.end64)
            end.append(UInt64(44))  // bytes that follow
            end.append(ZIPFormat.madeByUnix)
            end.append(ZIPFormat.neededForZIP64)
            end.append(UInt32(0))  // this disk
            end.append(UInt32(0))  // the directory's disk
            end.append(entryCount)
            end.append(entryCount)
            end.append(byteCount)
            end.append(start)
            end.append(ZIPFormat.end64Locator)
            end.append(UInt32(0))
            end.append(start + byteCount)
            end.append(UInt32(1))  // disks
        }
        end.append(ZIPFormat.end)
        end.append(UInt16(0))
        end.append(UInt16(0))
        end.append(UInt16(clamping: entryCount))
        end.append(UInt16(clamping: entryCount))
        end.append(UInt32(clamping: byteCount))
        end.append(UInt32(clamping: start))
        end.append(UInt16(0))  // comment
        return end.bytes
    }
}
