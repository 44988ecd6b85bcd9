import ChilCore
import Testing

@testable import ChilS3

/// The examples of "Authenticating Requests: Using the Authorization Header", Amazon S3 API Reference.
@Suite struct S3SignatureTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let path: String
        var query: [(name: String, value: String)] = []
        var fields: [(name: String, value: String)] = []
        var payload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let names: String
        let signature: String
        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "GET object, a range",
            method: "GET",
            path: "/test.txt",
            fields: [("range", "bytes=0-9")],
            names: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        Sample(
            name: "PUT object",
            method: "PUT",
            path: "/test%24file.text",
            fields: [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            names: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        Sample(
            name: "GET bucket lifecycle",
            method: "GET",
            path: "/",
            query: [("lifecycle", "")],
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        Sample(
            name: "GET bucket, list of objects",
            method: "GET",
            path: "/",
            query: [("prefix", "J"), ("max-keys", "2")],
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ]

    /// The example of "Authenticating Requests: Using Query Parameters".
    @Test func aURLIsAmazons() {
        let credentials = S3Credentials(
            id: "AKIAIOSFODNN7EXAMPLE",
            secret: Array("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8)
        )
        let query = S3Signature(credentials, region: "us-east-1").presigned(
            path: "/test.txt",
            host: "examplebucket.s3.amazonaws.com",
            query: [],
            seconds: 86_400,
            at: Timestamp(seconds: 1_369_353_600)
        )
        #expect(
            query == """
                X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
                &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
                &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404
                """
        )
    }

    @Test(arguments: samples)
    func isAmazons(_ sample: Sample) {
        let credentials = S3Credentials(
            id: "AKIAIOSFODNN7EXAMPLE",
            secret: Array("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8)
        )
        let now = Timestamp(seconds: 1_369_353_600)
        let value = S3Signature(credentials, region: "us-east-1").authorization(
            sample.method,
            path: sample.path,
            query: S3Signature.canonical(sample.query),
            fields: sample.fields + [
                ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", sample.payload),
                ("x-amz-date", S3Signature.time(now)),
            ],
            payload: sample.payload,
            at: now
        )
        #expect(
            value == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=\(sample.names),Signature=\(sample.signature)"
        )
    }

    @Test func timesAreInTheBasicForm() {
        #expect(S3Signature.time(Timestamp(microseconds: 1_369_353_600_999_999)) == "20130524T000000Z")
    }

    @Test(
        arguments: [
            ([("uploads", "")], "uploads="), ([("b", "1"), ("a", "2")], "a=2&b=1"),
            ([("a", " /+&=é~")], "a=%20%2F%2B%26%3D%C3%A9~"), ([("a", "2"), ("a", "1"), ("A", "3")], "A=3&a=1&a=2"),
            ([], ""),
        ] as [([(name: String, value: String)], String)]
    )
    func queriesAreInOrder(_ query: [(name: String, value: String)], _ text: String) {
        #expect(S3Signature.canonical(query) == text)
    }
}
