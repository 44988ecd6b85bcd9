import Glibc

// chilapi: the HTTP service. Its arguments are its environment.

let words = CommandLine.arguments.dropFirst()
if words.contains("--help") || words.contains("-h") {
    print(ServiceConfiguration.help)
    exit(0)
}
if words.contains("--version") {
    print("chilapi \(Release.version)")
    exit(0)
}

do {
    guard words.isEmpty else { throw ConfigurationFault("chilapi", "takes no arguments; see chilapi --help") }
    try ServiceProcess(try ServiceConfiguration(environment: ProcessEnvironment.all)).run()
} catch {
    StandardError.write("chilapi: \(error)\n")
    // 78 is EX_CONFIG, 69 EX_UNAVAILABLE (sysexits.h).
    exit(error is ConfigurationFault ? 78 : 69)
}
