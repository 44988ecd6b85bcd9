import Glibc

// chilapi: the HTTP service. Its arguments are its environment, but for its roles.

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
    let environment = try Roles.environment(ProcessEnvironment.all, with: Array(words))
    try ServiceProcess(try ServiceConfiguration(environment: environment)).run()
} catch {
    StandardError.write("chilapi: \(error)\n")
    // 78 is EX_CONFIG, 69 EX_UNAVAILABLE (sysexits.h).
    exit(error is ConfigurationFault ? 78 : 69)
}
