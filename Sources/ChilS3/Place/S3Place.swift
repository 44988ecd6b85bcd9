import ChilCore
package import ChilHTTP

/// Which bucket of which S3-compatible service, and with which key. Addressed by path (`https://host/bucket/key`), as all of them can be.
package struct S3Place: Sendable {
    package static let urlSetting = "CHIL_S3_URL"
    package static let bucketSetting = "CHIL_S3_BUCKET"
    package static let regionSetting = "CHIL_S3_REGION"
    package static let keyFileSetting = "CHIL_S3_KEY_FILE"
    package static let deliverySetting = "CHIL_S3_DELIVERY"
    package static let regionDefault = "us-east-1"

    /// How clients get bytes that lie there.
    package enum Delivery: String, CaseIterable, Sendable {
        /// Through the service, which checks the drawing for every byte.
        case service
        /// By a URL of the store's own, signed for a minute, to which the service sends them on once it has checked the drawing.
        case redirect
    }

    package let origin: HTTPURL
    package let bucket: String
    package let region: String
    package let credentials: S3Credentials
    package let delivery: Delivery

    package init(
        origin: HTTPURL,
        bucket: String,
        region: String,
        credentials: S3Credentials,
        delivery: Delivery = .service
    ) {
        self.origin = origin
        self.bucket = bucket
        self.region = region
        self.credentials = credentials
        self.delivery = delivery
    }

    /// What the settings say; `nil`: no object store is set.
    ///
    /// - Parameter value: of a setting; `nil` if it is not set.
    package static func read(_ value: (String) -> String?) throws(S3SettingFault) -> S3Place? {
        guard let url = value(urlSetting) else {
            for other in [bucketSetting, regionSetting, keyFileSetting, deliverySetting] where value(other) != nil {
                throw S3SettingFault(other, "belongs to \(urlSetting), which is not set")
            }
            return nil
        }
        var origin = url
        while origin.hasSuffix("/") { origin.removeLast() }
        guard let origin = HTTPURL(origin), origin.target == "/" else {
            throw S3SettingFault(
                urlSetting,
                "must be an http or https origin without a path, e.g. https://s3.eu-central-1.amazonaws.com"
            )
        }
        guard let bucket = value(bucketSetting) else {
            throw S3SettingFault(bucketSetting, "is not set, and \(urlSetting) is: name the bucket")
        }
        guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(isBucketByte) else {
            throw S3SettingFault(bucketSetting, "must be 3 to 63 of a-z, 0-9, dots and hyphens")
        }
        let region = value(regionSetting) ?? regionDefault
        guard (1...64).contains(region.utf8.count), region.utf8.allSatisfy({ isBucketByte($0) && $0 != 0x2e }) else {
            throw S3SettingFault(regionSetting, "must be a region's name, e.g. \(regionDefault)")
        }
        guard let file = value(keyFileSetting) else {
            throw S3SettingFault(keyFileSetting, "is not set, and \(urlSetting) is: name the file of the access key")
        }
        guard let delivery = Delivery(rawValue: value(deliverySetting) ?? Delivery.service.rawValue) else {
            let words = Delivery.allCases.map(\.rawValue).joined(separator: ", ")
            throw S3SettingFault(deliverySetting, "must be one of: \(words)")
        }
        return S3Place(
            origin: origin,
            bucket: bucket,
            region: region,
            credentials: try S3Credentials.read(file),
            delivery: delivery
        )
    }

    private static func isBucketByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x30...0x39, 0x2d, 0x2e: true
        default: false
        }
    }
}

/// A setting of the object store that cannot be used.
package struct S3SettingFault: Error, Sendable, CustomStringConvertible {
    package let setting: String
    package let remedy: String

    init(_ setting: String, _ remedy: String) {
        self.setting = setting
        self.remedy = remedy
    }

    package var description: String { "\(setting) \(remedy)" }
}
