import ChilCrypto
import ChilHTTP
import Foundation
import Testing

@testable import ChilS3

@Suite struct S3PlaceTests {
    private func keyFile(_ text: String, mode: Int = 0o600) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("chil-s3-\(UUID()).key").path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
        try #require(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
        return path
    }

    private func read(_ settings: [String: String]) throws(S3SettingFault) -> S3Place? {
        try S3Place.read { settings[$0] }
    }

    @Test func nothingSetIsNoStore() throws {
        #expect(try read([:]) == nil)
    }

    @Test func itIsWhatIsSet() throws {
        let file = try keyFile("# images\nAKIA1:s3/cr+t:x\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = [
            "CHIL_S3_URL": "http://127.0.0.1:9000/", "CHIL_S3_BUCKET": "chil-images", "CHIL_S3_KEY_FILE": file,
        ]
        let place = try #require(try read(settings))
        #expect(place.origin.description == "http://127.0.0.1:9000/")
        #expect(place.bucket == "chil-images" && place.region == "us-east-1")
        #expect(place.credentials.id == "AKIA1")
        #expect(place.credentials.secret.copy() == Array("s3/cr+t:x".utf8))
        #expect(!"\(place)".contains("s3/cr+t"))
        let elsewhere = try read(settings.merging(["CHIL_S3_REGION": "eu-central-1"]) { $1 })
        #expect(elsewhere?.region == "eu-central-1")
    }

    @Test(
        arguments: [
            ("CHIL_S3_URL", "s3.example.test", "CHIL_S3_URL must be an http or https origin"),
            ("CHIL_S3_URL", "https://s3.example.test/bucket", "CHIL_S3_URL must be an http or https origin"),
            ("CHIL_S3_URL", nil, "CHIL_S3_BUCKET belongs to CHIL_S3_URL, which is not set"),
            ("CHIL_S3_BUCKET", nil, "CHIL_S3_BUCKET is not set"),
            ("CHIL_S3_BUCKET", "ab", "CHIL_S3_BUCKET must be 3 to 63"),
            ("CHIL_S3_BUCKET", "a/../b", "CHIL_S3_BUCKET must be 3 to 63"),
            ("CHIL_S3_REGION", "eu central", "CHIL_S3_REGION must be a region's name"),
            ("CHIL_S3_KEY_FILE", nil, "CHIL_S3_KEY_FILE is not set"),
            ("CHIL_S3_KEY_FILE", "/nowhere", "CHIL_S3_KEY_FILE cannot be opened"),
        ] as [(String, String?, String)]
    )
    func whatIsWrongIsNamed(_ name: String, _ value: String?, _ remedy: String) throws {
        let file = try keyFile("id:secret\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        var settings = ["CHIL_S3_URL": "https://s3.test", "CHIL_S3_BUCKET": "bucket", "CHIL_S3_KEY_FILE": file]
        settings[name] = value
        let fault = #expect(throws: S3SettingFault.self) { try read(settings) }
        #expect(fault?.description.hasPrefix(remedy) == true, "\(fault?.description ?? "")")
    }

    @Test(arguments: ["", "id", "id:", ":secret", "id:secret\nid:secret", "id: secret", "id:s\u{e9}cret"])
    func aKeyFileHasOneKey(_ text: String) throws {
        let file = try keyFile(text)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let fault = #expect(throws: S3SettingFault.self) { try S3Credentials.read(file) }
        #expect(fault?.remedy.hasPrefix("must have one line") == true)
        #expect(fault?.remedy.contains("secret") == false)
    }

    @Test func aKeyFileIsItsOwnersAlone() throws {
        let file = try keyFile("id:secret", mode: 0o640)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let fault = #expect(throws: S3SettingFault.self) { try S3Credentials.read(file) }
        #expect(fault?.remedy.hasPrefix("may be read by others") == true)
    }
}
