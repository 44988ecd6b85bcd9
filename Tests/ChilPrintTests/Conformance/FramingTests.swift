import ChilCore
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Testing

/// Printers that take pages in chunks, and those that do not.
@Suite("Framing of pages")
struct FramingTests {
    private final class Bench: PrinterBench {
        let printer: PeerPrinter
        var port: UInt16 { printer.port }
        let path = "/ipp/print"
        let isReal = false
        /// What it showed, each time that was new.
        let shown = Locked<[PrinterFraming.Manner]>([])

        init(_ chunks: PeerPrinter.Chunks, _ operations: [Int32]) throws {
            printer = try PeerPrinter {
                $0.chunks = chunks
                $0.operations = operations
            }
        }

        deinit { printer.stop() }

        func papers(of job: String) -> Int { printer.papers.filter { $0.contains(job) }.count }
        func finish() async { printer.finish() }

        func print(_ number: Int, _ faults: [PrinterProxy.Fault] = [], as manner: PrinterFraming.Manner = .untried)
            async throws -> (end: PrintJobMachine, history: [String], papers: Int)
        {
            try await print(
                number,
                faults,
                manner: manner,
                showing: { [shown] manner in shown.withLock { $0.append(manner) } }
            )
        }
    }

    static let steps: [[Int32]] = [[2, 4, 5, 6, 8, 9, 10, 11], [2, 4, 8, 9, 10, 11]]

    struct Row: Sendable, CustomTestStringConvertible {
        let chunks: PeerPrinter.Chunks
        var ends: Set<PrintJobStatus> = [.completed]
        var shown: [PrinterFraming.Manner] = [.length]
        /// How documents came to it, by Send-Document or Print-Job.
        var sent = [false]
        var testDescription: String { "\(chunks)" }

        static let all = [
            Self(chunks: .taken, shown: [.chunked], sent: [true]),
            Self(chunks: .lengthRequired),
            Self(chunks: .badRequest),
            Self(chunks: .cut),
            Self(chunks: .readsNothing),
            // HTTP refused it, so that nothing of it was done: it is sent again at once.
            Self(chunks: .documentLengthRequired, shown: [.chunked, .length], sent: [true, false]),
        ]
    }

    @Test(arguments: Row.all, steps) func onePaperComesOut(_ row: Row, _ operations: [Int32]) async throws {
        let bench = try Bench(row.chunks, operations)
        let outcome = try await bench.print(1)
        bench.check(outcome, row.ends)
        #expect(bench.shown.withLock { $0 } == row.shown)
        let document: UInt16 = operations.contains(5) ? 0x0006 : 0x0002
        #expect(bench.printer.isChunked(document) == row.sent)
        // Nothing but a question that changes nothing is tried in chunks.
        for operation: UInt16 in [0x0004, 0x0005, 0x0009, 0x000A] {
            #expect(!bench.printer.isChunked(operation).contains(true))
        }
        // It is known from then on.
        let last = try #require(row.shown.last)
        bench.check(try await bench.print(2, as: last), [.completed])
        #expect(bench.shown.withLock { $0 } == row.shown && bench.printer.isChunked(document).last == row.sent.last)
    }

    /// What was cut off may have been printed: it is not sent again in the same breath, and the next one has a length.
    @Test(arguments: steps) func whatIsCutIsInDoubt(_ operations: [Int32]) async throws {
        let bench = try Bench(.documentCut, operations)
        let outcome = try await bench.print(1)
        bench.check(outcome, [.completed, .outcomeUnknown, .failed])
        #expect(bench.shown.withLock { $0 } == [.chunked, .length])
        let document: UInt16 = operations.contains(5) ? 0x0006 : 0x0002
        #expect(bench.printer.isChunked(document).first == true)
        #expect(!bench.printer.isChunked(document).dropFirst().contains(true))
        bench.printer.forget()
        bench.check(try await bench.print(2, as: .length), [.completed])
    }

    /// It has all of it, and its answer is lost.
    @Test(arguments: steps, PrinterProxy.Point.allCases) func neverTwice(
        _ operations: [Int32],
        _ point: PrinterProxy.Point
    ) async throws {
        let bench = try Bench(.taken, operations)
        let document: PrinterProxy.Operation = operations.contains(5) ? .sendDocument : .printJob
        let outcome = try await bench.print(1, [PrinterProxy.Fault(document, point)])
        bench.check(outcome, [.completed, .outcomeUnknown, .failed])
        #expect(outcome.papers <= 1)
        #expect(bench.shown.withLock { $0 } == [.chunked, .length])
    }

    /// Pages that are made while they are sent arrive whole either way, and are made once more where their length has to be known.
    @Test(arguments: [PeerPrinter.Chunks.taken, .lengthRequired]) func piecesArrive(_ chunks: PeerPrinter.Chunks)
        async throws
    {
        let bench = try Bench(chunks, Self.steps[0])
        let uri = try PrinterURI("ipp://localhost:\(bench.port)/ipp/print")
        let made = Locked(0)
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let state = await LoopHome(thread.loop).run { loop in
            let framing = PrinterFraming()
            let transport = IPPTransport.http(
                to: uri,
                on: loop,
                patience: Duration.seconds(20).patient,
                identity: .passing(at: loop.wallClock),
                framing: framing
            )
            var printer = IPPPrinter(uri: uri, transport: transport)
            let body = PrintBody.pieces {
                made.withLock { $0 += 1 }
                return Counted(left: 40)
            }
            let document = PrintDocument(body, format: .pdf, paper: .a4)
            var ticket = PrintTicket(jobName: "pieces", of: document)
            guard let answer = try? await printer.getPrinterAttributes(),
                let job = try? await printer.createJob(&ticket, for: answer)
            else { return "no job" }
            do {
                _ = try await printer.sendDocument(body, to: job)
                return framing.manner.rawValue
            } catch {
                return "\(error)"
            }
        }
        #expect(state == (chunks == .taken ? "chunked" : "length"))
        #expect(bench.printer.jobs.map(\.byteCount) == [40 * Counted.size])
        #expect(made.withLock { $0 } == (chunks == .taken ? 1 : 2))
    }

    /// Pages that can't be made to their end reach no printer as a document.
    @Test(arguments: [PeerPrinter.Chunks.taken, .lengthRequired]) func halfAJobIsNoJob(_ chunks: PeerPrinter.Chunks)
        async throws
    {
        let bench = try Bench(chunks, Self.steps[0])
        let uri = try PrinterURI("ipp://localhost:\(bench.port)/ipp/print")
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let failure = await LoopHome(thread.loop).run { loop in
            let transport = IPPTransport.http(
                to: uri,
                on: loop,
                patience: Duration.seconds(20).patient,
                identity: .passing(at: loop.wallClock),
                framing: PrinterFraming()
            )
            var printer = IPPPrinter(uri: uri, transport: transport)
            let body = PrintBody.pieces { Counted(left: 8, isBroken: true) }
            var ticket = PrintTicket(jobName: "half", of: PrintDocument(body, format: .pdf, paper: .a4))
            do throws(PrintFailure) {
                let answer = try await printer.getPrinterAttributes()
                let job = try await printer.createJob(&ticket, for: answer)
                _ = try await printer.sendDocument(body, to: job)
                return "sent"
            } catch {
                switch error {
                case .answerLost: return "lost"
                case .unreachable: return "not sent"
                default: return "\(error)"
                }
            }
        }
        // Where a length is asked for, they are made before anything is sent.
        #expect(failure == (chunks == .taken ? "lost" : "not sent"))
        #expect(bench.printer.jobs.map(\.hasDocument) == [false])
    }

    private struct Counted: PrintPieces {
        static let size = 5_000
        var left: Int
        var isBroken = false

        mutating func next() throws(PrintPagesFault) -> [UInt8]? {
            guard left > 0 else {
                if isBroken { throw .unreadable }
                return nil
            }
            left -= 1
            return [UInt8](repeating: UInt8(left), count: Self.size)
        }
    }
}
