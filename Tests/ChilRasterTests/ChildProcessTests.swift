import ChilCore
import ChilMediaTestSupport
import ChilTestSupport
import Foundation
import Testing

@testable import ChilRaster

/// What a program that does what it wants can do.
@Suite("Child process")
struct ChildProcessTests {
    private func child(
        _ script: String,
        timeout: Duration = .seconds(60),
        change: (inout ChildLimits) -> Void = { _ in }
    ) -> ChildProcess {
        var limits = ChildLimits.standard
        limits.timeout = timeout
        change(&limits)
        return ChildProcess(program: "/bin/sh", arguments: ["-c", script], limits: limits)
    }

    private func text(_ child: ChildProcess, _ input: [UInt8] = []) throws -> String {
        String(decoding: try child.output(for: input), as: UTF8.self)
    }

    @Test func bytesGoInAndComeOut() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try child("cat").output(for: bytes) == bytes)
    }

    @Test func nothingOfTheServiceIsInherited() throws {
        #expect(try text(child("env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= | sort")) == "LC_ALL=C\nOMP_NUM_THREADS=1\n")
        // 3 is the folder that ls itself reads.
        #expect(try text(child("ls /proc/self/fd")) == "0\n1\n2\n3\n")
        #expect(
            try text(child("grep -c . /proc/self/status; grep SigBlk /proc/self/status")).hasSuffix(
                "0000000000000000\n"
            )
        )
    }

    @Test func noFileIsWritten() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try? child("echo x > \(path)").output(for: [])
        #expect((FileManager.default.contents(atPath: path) ?? Data()).isEmpty)
    }

    @Test func whatSaysNoIsHeard() {
        #expect(throws: ChildFault.failed(3, "out of ink")) {
            try child("echo 'out of ink' >&2; echo more >&2; exit 3").output(for: [])
        }
    }

    @Test func whatNeverEndsIsEnded() {
        #expect(throws: ChildFault.timedOut) { try child("sleep 3600", timeout: .milliseconds(200)).output(for: []) }
        #expect(throws: ChildFault.timedOut) {
            try child("exec >&- 2>&-; sleep 3600", timeout: .milliseconds(200)).output(for: [])
        }
    }

    /// A child's child holds the pipe open.
    @Test func theWholeGroupIsEnded() throws {
        let marker = "\(3_600 + Int.random(in: 1...100_000))"
        #expect(throws: ChildFault.timedOut) {
            try child("sleep \(marker) & wait", timeout: .milliseconds(300)).output(for: [])
        }
        let gone = waitUntil(.seconds(10)) {
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return !folders.contains { folder in
                let line = FileManager.default.contents(atPath: "/proc/\(folder)/cmdline") ?? Data()
                return line == Data("sleep\0\(marker)\0".utf8)
            }
        }
        #expect(gone)
    }

    @Test func whatFloodsIsEnded() {
        #expect(throws: ChildFault.outputTooLarge) {
            try child("cat /dev/zero") { $0.outputBytesMax = 1_000_000 }.output(for: [])
        }
        #expect(throws: ChildFault.failed(1, "")) {
            try child("head -c 10000000 /dev/zero >&2; exit 1").output(for: [])
        }
    }

    @Test func whatEatsIsEnded() {
        #expect(throws: ChildFault.self) {
            try child("x=a; while :; do x=$x$x; done") { $0.memoryBytesMax = 64 << 20 }.output(for: [])
        }
        #expect {
            try child("while :; do :; done") { $0.cpuSecondsMax = 1 }.output(for: [])
        } throws: {
            [ChildFault.timedOut, .killed(9)].contains($0 as? ChildFault)
        }
    }

    @Test func aDyingChildIsTold() {
        #expect(throws: ChildFault.killed(11)) { try child("kill -SEGV $$").output(for: []) }
    }

    @Test func aMissingProgramIsNamed() async {
        let rasterizer = Rasterizer(programs: RasterPrograms(in: "/nowhere"))
        let image = RasterImage([1], .png)
        await #expect(throws: RasterFault.programMissing("/nowhere/gm")) { try await rasterizer.thumbnail(of: image) }
        #expect(RasterPrograms(in: "/nowhere").missing == ["/nowhere/gm", "/nowhere/pdfinfo", "/nowhere/pdftoppm"])
        #expect(RasterFault.programMissing("/nowhere/gm").remedy.contains("apt-get install"))
    }

    @Test func noMoreRunAtOnceThanMay() async {
        let slots = ChildSlots(runningMax: 2, waitingMax: 3)
        let counts = Locked((running: 0, most: 0))
        let gate = DispatchSemaphore(value: 0)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await slots.run {
                        counts.withLock {
                            $0.running += 1
                            $0.most = max($0.most, $0.running)
                        }
                        gate.wait()
                        counts.withLock { $0.running -= 1 }
                    } != nil
                }
            }
            // Three of eight find no room, and answer first.
            var answers: [Bool] = []
            for await answer in group {
                answers.append(answer)
                if answers.count == 3 { for _ in 0..<5 { gate.signal() } }
            }
            return answers
        }
        #expect(answers == [false, false, false, true, true, true, true, true])
        #expect(counts.withLock { $0.most } == 2)
        #expect(await slots.run { 7 } == 7)
    }

    /// A turn lasts until what it is for is done, and its programs wait for nobody.
    @Test func whoeverHasATurnWaitsNoMore() async throws {
        let slots = ChildSlots(runningMax: 1, waitingMax: 2)
        #expect(await slots.take())
        let order = Locked<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    #expect(await slots.take())
                    order.withLock { $0.append(number) }
                    slots.leave()
                }
            }
            // Both wait before the turn that they wait for ends.
            #expect(await awaitUntil(.seconds(20)) { slots.waitingCount == 2 })
            #expect(await slots.take() == false, "a third finds no room")
            #expect(order.withLock { $0.isEmpty })
            slots.leave()
        }
        #expect(order.withLock { $0.sorted() } == [0, 1])

        let rasterizer = Rasterizer(runningMax: 1, waitingMax: 0)
        let image = RasterImage(PNGMaker(width: 4, height: 4) { _, _ in [9, 9, 9] }.file(), .png)
        let made = try await rasterizer.turn { own in
            await #expect(throws: RasterFault.busy) { try await rasterizer.thumbnail(of: image) }
            return [try await own.thumbnail(of: image), try await own.flattened(image)]
        }
        #expect(made.count == 2)
        await #expect(throws: RasterFault.timedOut) { try await rasterizer.turn { _ in throw RasterFault.timedOut } }
        #expect(try await rasterizer.thumbnail(of: image).format == .png)
    }
}
