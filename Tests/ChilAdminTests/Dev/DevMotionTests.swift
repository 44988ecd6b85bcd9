import Testing

@testable import ChilAdmin

@Suite struct DevMotionTests {
    @Test(arguments: [
        ("--listen 127.0.0.1:8083", "simulate motion at 127.0.0.1:8083 by motionType well"),
        (
            "--listen [::1]:8083 --form-field motion --quirk no-humanoid --in-container",
            "simulate motion at [::1]:8083 by motion noHumanoid in a container"
        ),
    ])
    func itIsServed(_ flags: String, _ call: String) async {
        let services = FakeServices()
        let run = await Run("dev motion \(flags)", services: services)
        #expect(run.status == .success, "\(run.err)")
        #expect(services.asked == [call])
    }

    @Test(arguments: [
        "", "--listen nowhere", "--listen 127.0.0.1:1 --form-field image", "--listen 127.0.0.1:1 --quirk kind",
    ])
    func nonsenseIsRefused(_ flags: String) async {
        let services = FakeServices()
        let run = await Run("dev motion \(flags)", services: services)
        #expect(run.status == .usage)
        #expect(services.asked.isEmpty)
    }
}
