import Foundation

/// A real S3 server that checks every signature by Amazon's own code: moto's, from PyPI, with the bucket `chil-images` and one key that may
/// use it. `scripts/test` puts it there and names its Python.
package final class S3Server: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    static let setting = "CHIL_TEST_S3_PYTHON"
    package static var isThere: Bool { ProcessInfo.processInfo.environment[setting]?.isEmpty == false }
    package static let bucket = "chil-images"

    package let port: UInt16
    package let accessKey: String
    package let secret: String
    private let input: FileHandle

    package var url: String { "http://127.0.0.1:\(port)" }

    package init() throws {
        guard let python = ProcessInfo.processInfo.environment[Self.setting] else {
            throw Missing(description: "\(Self.setting) is not set: run the tests by scripts/test")
        }
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", Self.program]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.input = input.fileHandleForWriting
        var said = Data()
        while !said.contains(0x0a) {
            let some = output.fileHandleForReading.availableData
            if some.isEmpty {
                throw Missing(description: "\(python) has no moto[server]: run the tests by scripts/test")
            }
            said += some
        }
        let words = String(decoding: said, as: UTF8.self).split { $0 == " " || $0 == "\n" }.map(String.init)
        guard words.count == 3, let port = UInt16(words[0]) else {
            throw Missing(description: "the S3 server said: \(words)")
        }
        (self.port, accessKey, secret) = (port, words[1], words[2])
    }

    /// It ends when its input does.
    package func stop() { try? input.close() }

    private static let program = """
        import json, os, sys
        os.environ["AWS_DEFAULT_REGION"] = "us-east-1"
        import boto3
        from moto import settings
        from moto.server import ThreadedMotoServer
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        port = server.get_host_and_port()[1]
        def client(name):
            return boto3.client(name, endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
                                aws_access_key_id="x", aws_secret_access_key="x")
        iam = client("iam")
        iam.create_user(UserName="chil")
        allowed = {"Effect": "Allow", "Action": ["s3:*"], "Resource": "*"}
        iam.put_user_policy(UserName="chil", PolicyName="images",
                            PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [allowed]}))
        made = iam.create_access_key(UserName="chil")["AccessKey"]
        client("s3").create_bucket(Bucket="chil-images")
        settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
        print(port, made["AccessKeyId"], made["SecretAccessKey"], flush=True)
        sys.stdin.read()
        """
}
