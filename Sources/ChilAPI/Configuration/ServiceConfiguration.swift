import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilS3
import Glibc

/// What the environment says of the service. Read once, at the start.
struct ServiceConfiguration: Sendable {
    let listen: SocketAddress
    /// Where clients reach the service: the origin of every URL it answers. Never taken from Host.
    let publicURL: String
    var database: DatabaseConfiguration
    /// Where announcements are heard; `nil`: nowhere, all is asked for.
    let listenDatabaseURL: String?
    let keyFile: String
    let loops: Int
    let roles: Roles
    let log: ServiceLog.Form
    let imageCacheBytes: Int
    /// Files of certificates and keys; empty: plain HTTP.
    let tls: [TLSFiles]
    /// Who may say where a request came from.
    let trustedProxies: TrustedProxies
    /// Where the bytes of new images go; `nil`: to PostgreSQL.
    let s3: S3Place?

    /// One setting: its name, its default and what it means. The only list of them: `--help` prints it.
    struct Setting: Sendable {
        let name: String
        let fallback: String?
        let meaning: String
    }

    static let databaseSetting = "CHIL_DATABASE_URL"
    static let listenSetting = "CHIL_LISTEN_DATABASE_URL"

    static let settings: [Setting] = [
        Setting(
            name: databaseSetting,
            fallback: nil,
            meaning: "PostgreSQL, as the role chil_service (libpq URI or string)"
        ),
        Setting(
            name: listenSetting,
            fallback: "",
            meaning: "PostgreSQL itself, where CHIL_DATABASE_URL leads to a pooler; none: ask instead of listening"
        ),
        Setting(
            name: "CHIL_KEY_FILE",
            fallback: nil,
            meaning: "file of master keys, lines `version:64 hex digits`, mode 0600"
        ),
        Setting(
            name: "CHIL_PUBLIC_URL",
            fallback: nil,
            meaning: "origin that clients use, e.g. https://api.example.org"
        ),
        Setting(name: "CHIL_LISTEN", fallback: "127.0.0.1:8080", meaning: "numeric address and port to listen on"),
        Setting(
            name: TLSFiles.setting,
            fallback: "none",
            meaning: "CERTIFICATES.pem:KEY.pem, several parted by commas, for HTTPS; read again on SIGHUP"
        ),
        Setting(name: "CHIL_LOOPS", fallback: "0", meaning: "event loops; 0: one per core"),
        Setting(
            name: Roles.setting,
            fallback: "all",
            meaning: "all, api (requests alone) or worker (what outlives requests alone; it answers probes); or --roles"
        ),
        Setting(name: "CHIL_SEGMENT", fallback: "implicit", meaning: "implicit, or explicit for Citus"),
        Setting(name: "CHIL_STATEMENTS", fallback: "named", meaning: "named, or unnamed for PgBouncer before 1.21"),
        Setting(name: "CHIL_LOG", fallback: "human", meaning: "human, json or off; to standard error"),
        Setting(name: "CHIL_IMAGE_CACHE_MIB", fallback: "64", meaning: "memory for images that are asked for often"),
        Setting(
            name: "CHIL_TRUSTED_PROXIES",
            fallback: "none",
            meaning: "blocks of addresses, as 10.0.0.0/8,fd00::/8, whose X-Forwarded-For is believed"
        ),
        Setting(
            name: S3Place.urlSetting,
            fallback: "",
            meaning: "origin of an S3-compatible store for images; none: PostgreSQL"
        ),
        Setting(name: S3Place.bucketSetting, fallback: "", meaning: "its bucket"),
        Setting(name: S3Place.regionSetting, fallback: "", meaning: "its region; none: \(S3Place.regionDefault)"),
        Setting(
            name: S3Place.keyFileSetting,
            fallback: "",
            meaning: "file with the line `ACCESS_KEY_ID:SECRET`, mode 0600"
        ),
        Setting(
            name: S3Place.deliverySetting,
            fallback: "",
            meaning: "service (the default), or redirect: clients get images from the store, by URLs for a minute"
        ),
    ]

    /// What `scripts/stack env` and the tests put into a shell beside our own settings.
    private static let namesOfOthers: Set<String> = [
        "CHIL_URL", "CHIL_ISSUER_URL", "CHIL_ISSUER_KEYS", "CHIL_CLIENT_ID", "CHIL_SERVICE_DATABASE_URL",
        "CHIL_ADMIN_DATABASE_URL", "CHIL_PRINTER_URI", "CHIL_SPOOL", "CHIL_API_PID", "CHIL_OPERATOR", "CHIL_VECTORS",
        "CHIL_TEST_DATABASE_URL", "CHIL_TEST_S3_PYTHON", "CHIL_TEST_PATIENCE", "CHIL_TEST_ROUNDS", "CHIL_SKIP_PACKAGES",
    ]

    /// - Throws: `ConfigurationFault`, whose text names the setting and the remedy.
    init(environment: [String: String]) throws(ConfigurationFault) {
        let known = Set(Self.settings.map(\.name)).union(Self.namesOfOthers)
        for name in environment.keys.sorted() where name.hasPrefix("CHIL_") && !known.contains(name) {
            throw ConfigurationFault(name, "is no setting; see chilapi --help")
        }
        func value(_ name: String) throws(ConfigurationFault) -> String {
            if let given = environment[name], !given.isEmpty { return given }
            guard let fallback = Self.settings.first(where: { $0.name == name })?.fallback else {
                throw ConfigurationFault(name, "is not set; see chilapi --help")
            }
            return fallback
        }
        func number(_ name: String, _ range: ClosedRange<Int>) throws(ConfigurationFault) -> Int {
            guard let number = Int(try value(name)), range.contains(number) else {
                throw ConfigurationFault(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type)
            throws(ConfigurationFault)
            -> Choice where Choice.RawValue == String
        {
            guard let choice = Choice(rawValue: try value(name)) else {
                let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationFault(name, "must be one of: \(words)")
            }
            return choice
        }
        let listenText = try value("CHIL_LISTEN")
        guard let colon = listenText.lastIndex(of: ":"),
            let port = UInt16(listenText[listenText.index(after: colon)...]),
            let address = SocketAddress(numericHost: String(listenText[..<colon]), port: port)
        else { throw ConfigurationFault("CHIL_LISTEN", "must be ADDRESS:PORT, e.g. 0.0.0.0:8080 or [::]:8080") }
        listen = address
        tls = try TLSFiles.list(try value(TLSFiles.setting))
        var origin = try value("CHIL_PUBLIC_URL")
        while origin.hasSuffix("/") { origin.removeLast() }
        guard let url = HTTPURL(origin), url.target == "/" else {
            throw ConfigurationFault("CHIL_PUBLIC_URL", "must be an http or https origin without a path")
        }
        publicURL = origin
        func databaseURL(_ name: String) throws(ConfigurationFault) -> String {
            let given = try value(name)
            guard let fault = DatabaseAddress(given).fault else { return given }
            throw ConfigurationFault(name, "\(fault): \(DatabaseAddress.remedy)")
        }
        var database = DatabaseConfiguration(url: try databaseURL(Self.databaseSetting))
        database.form = try choice("CHIL_SEGMENT", DatabaseConfiguration.SegmentForm.self)
        database.naming = try choice("CHIL_STATEMENTS", DatabaseConfiguration.StatementNaming.self)
        self.database = database
        let announcements = try databaseURL(Self.listenSetting)
        listenDatabaseURL = announcements == "none" ? nil : announcements.isEmpty ? database.url : announcements
        keyFile = try value("CHIL_KEY_FILE")
        let loops = try number("CHIL_LOOPS", 0...62)
        self.loops = loops == 0 ? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) : loops
        roles = try choice(Roles.setting, Roles.self)
        log = try choice("CHIL_LOG", ServiceLog.Form.self)
        imageCacheBytes = try number("CHIL_IMAGE_CACHE_MIB", 0...65_536) << 20
        guard let proxies = TrustedProxies(try value("CHIL_TRUSTED_PROXIES")) else {
            throw ConfigurationFault(
                "CHIL_TRUSTED_PROXIES",
                "must be none, or blocks parted by commas, each without bits behind its prefix, e.g. 10.0.0.0/8,fd00::/8"
            )
        }
        trustedProxies = proxies
        do throws(S3SettingFault) {
            s3 = try S3Place.read { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }
        } catch {
            throw ConfigurationFault(error.setting, error.remedy)
        }
    }

    static var help: String {
        let lines = settings.map { setting in
            let name = setting.name + String(repeating: " ", count: 26 - setting.name.utf8.count)
            let fallback = setting.fallback.flatMap { $0.isEmpty ? nil : " (default \($0))" } ?? ""
            return "  \(name) \(setting.meaning)\(fallback)"
        }
        return """
            chilapi — the HTTP service of ChilAPI. The environment configures it; --roles ROLES is CHIL_ROLES:

            \(lines.joined(separator: "\n"))

            SIGTERM and SIGINT end it after the running requests; SIGHUP has it read its certificates again.
            """
    }
}

struct ConfigurationFault: Error, CustomStringConvertible {
    let setting: String
    let remedy: String

    init(_ setting: String, _ remedy: String) {
        self.setting = setting
        self.remedy = remedy
    }

    var description: String { "\(setting) \(remedy)" }
}
