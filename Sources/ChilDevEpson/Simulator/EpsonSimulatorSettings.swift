/// Whom a simulated Epson Connect knows, and how fast its printer is.
package struct EpsonSimulatorSettings: Sendable {
    package var clientID = "simulated-client"
    package var clientSecret = "simulated-secret"
    package var apiKey = "simulated-key"
    package var address = "simulator@print.epsonconnect.com"
    package var deviceID = "simulated-device"
    package var serial = "SIM0012345"
    /// Where pages are uploaded, without a path.
    package var uploadOrigin = "http://127.0.0.1:1"
    /// A job waits so long, and then is printed for so long.
    package var pace = Duration.seconds(2)
    package var tokenLifetime = Duration.seconds(3_600)
    /// How long it keeps who asks waiting when it misbehaves so. Of real time, whatever its clock says.
    package var silence = Duration.seconds(30)

    /// Origins that callbacks are sent elsewhere for, as a hosts file has it: a test's service is not where it says.
    package var callbackHosts: [String: String] = [:]

    package init() {}

    static let model = "EPSON Simulator (no printer)"
}
