import Dispatch
import Glibc

let console = StandardConsole()
let program = Program(
    console: console,
    environment: .ofProcess,
    makeServices: { settings in
        let progress = Progress.Style(environment: .ofProcess) { console.talkColumns }
        return LiveServices(settings: settings, progress: progress, talk: console.talk)
    },
    // A shell waits no longer than 300 ms for names.
    endLate: { DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(280)) { _exit(0) } }
)
exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
