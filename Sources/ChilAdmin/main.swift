import Glibc

let console = StandardConsole()
let program = Program(
    console: console,
    environment: .ofProcess,
    makeServices: { settings in LiveServices(settings: settings, talk: console.talk) }
)
exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
