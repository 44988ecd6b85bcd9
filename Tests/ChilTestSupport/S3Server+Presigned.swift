import Foundation

extension S3Server {
    /// The signature that Amazon's own code (botocore) gives a presigned URL of this server's key. The server itself does not judge such URLs.
    package func signature(of url: String) throws -> String {
        guard let python = ProcessInfo.processInfo.environment[Self.setting] else {
            throw Missing(description: "\(Self.setting) is not set: run the tests by scripts/test")
        }
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", Self.presigning, url, accessKey, secret]
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let presigning = """
        import sys
        from urllib.parse import urlsplit, parse_qsl
        from botocore.auth import S3SigV4QueryAuth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        url, key, secret = sys.argv[1:]
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        auth = S3SigV4QueryAuth(Credentials(key, secret), "s3", "us-east-1", expires=int(query["X-Amz-Expires"]))
        asked = {name: value for name, value in query.items() if not name.startswith("X-Amz-")}
        request = AWSRequest("GET", f"{parts.scheme}://{parts.netloc}{parts.path}", params=asked)
        request.context["timestamp"] = query["X-Amz-Date"]
        auth._modify_request_before_signing(request)
        print(auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request))
        """
}
