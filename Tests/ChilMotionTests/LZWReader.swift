/// Unpacks the frames of a GIF as a player would (GIF89a Appendix F), for frames that fill their screen and have no colours of their own.
struct LZWReader {
    struct Broken: Error {}

    static func frames(of gif: [UInt8]) throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var at = 13 + 768
        while gif[at] != 0x3b {
            if gif[at] == 0x21 {
                at += 2
                while gif[at] != 0 { at += Int(gif[at]) + 1 }
                at += 1
                continue
            }
            guard gif[at] == 0x2c else { throw Broken() }
            at += 10
            let pixelBits = Int(gif[at])
            at += 1
            var packed: [UInt8] = []
            while gif[at] != 0 {
                packed += gif[(at + 1)...(at + Int(gif[at]))]
                at += Int(gif[at]) + 1
            }
            at += 1
            frames.append(try unpacked(packed, pixelBits))
        }
        return frames
    }

    private static func unpacked(_ packed: [UInt8], _ pixelBits: Int) throws -> [UInt8] {
        let clear = 1 << pixelBits
        var strings: [[UInt8]] = []
        var width = pixelBits + 1
        var before: [UInt8]?
        var pixels: [UInt8] = []
        var place = 0
        func forget() {
            strings = (0..<clear).map { [UInt8($0)] } + [[], []]
            width = pixelBits + 1
            before = nil
        }
        forget()
        while true {
            guard place + width <= packed.count * 8 else { throw Broken() }
            var code = 0
            for bit in 0..<width where packed[(place + bit) / 8] >> ((place + bit) % 8) & 1 == 1 { code |= 1 << bit }
            place += width
            if code == clear {
                forget()
                continue
            }
            if code == clear + 1 { return pixels }
            guard let last = before else {
                guard code < clear else { throw Broken() }
                pixels += strings[code]
                before = strings[code]
                continue
            }
            guard code <= strings.count else { throw Broken() }
            let string = code < strings.count ? strings[code] : last + [last[0]]
            pixels += string
            if strings.count < 4_096 { strings.append(last + [string[0]]) }
            if strings.count == 1 << width, width < 12 { width += 1 }
            before = string
        }
    }
}
