import ChilCore
import ChilCrypto

/// What the service's public address answered.
enum PublicAddressEvidence: Equatable, Sendable {
    case notSet
    case noURL
    /// In the clear.
    case plain(host: String)
    case silent(String)
    /// A certificate was shown. objection: no authority vouches for it; status: what was answered then.
    case shown(until: Timestamp, objection: TLSFault.Code?, status: Int?)
}

/// What is known of one provider record.
struct ProviderEvidence: Equatable, Sendable {
    enum KeySet: Equatable, Sendable {
        case fetched
        /// Not from here, and why; a service has fetched it at that time.
        case kept(Timestamp, String)
        case missing(String)
        /// There was no time.
        case notAsked
    }

    let tenant: String
    let jwksURL: String
    let keySet: KeySet
    /// What is wrong with team, key and URLs.
    let gap: String?
}

extension Findings {
    static let warnDays: Int64 = 14
    static let failDays: Int64 = 3
    /// A service fetches a set anew within hours: one that was not had for so long is one that nobody gets.
    static let keptSecondsMax: Int64 = 2 * 86_400

    var tls: DoctorRow {
        switch publicAddress {
        case nil, .notSet:
            return outside(
                .warn,
                "CHIL_PUBLIC_URL is not set: its certificate was not looked at",
                "Set it, or in the context: `chiladmin context add … --public-url URL`."
            )
        case .noURL:
            return outside(
                .fail,
                "CHIL_PUBLIC_URL is no http or https URL",
                "Set it to the service's address as clients see it."
            )
        case .plain(let host):
            let isHere = ["127.0.0.1", "::1", "localhost"].contains(host)
            return outside(
                isHere ? .ok : .fail,
                isHere
                    ? "in the clear, on this machine alone" : "http://: everybody on the way reads tokens and drawings",
                isHere ? nil : "Give chilapi a certificate (docs/https.md) and CHIL_PUBLIC_URL an https:// address."
            )
        case .silent(let why):
            return outside(
                .fail,
                "no answer from CHIL_PUBLIC_URL: \(why)",
                "Look whether chilapi runs and what stands before it; from elsewhere: curl -v URL/healthz."
            )
        case .shown(let until, let objection, let status):
            return certificate(until, objection, status)
        }
    }

    private func certificate(_ until: Timestamp, _ objection: TLSFault.Code?, _ status: Int?) -> DoctorRow {
        let days = (until.seconds - now.seconds) / 86_400
        if until <= now {
            return outside(.fail, "the certificate is over since \(until)", "Renew it: no app connects any more.")
        }
        if let objection {
            return outside(
                .fail,
                "no client trusts the certificate: \(objection.rawValue)",
                TLSFault(code: objection, detail: "").remedyAsSentence
            )
        }
        if let status, status >= 500 {
            return outside(
                .fail,
                "CHIL_PUBLIC_URL answers \(status)",
                "What stands before chilapi does not reach it, or chilapi not its database: see both logs."
            )
        }
        if days < Self.warnDays {
            return outside(
                days < Self.failDays ? .fail : .warn,
                "the certificate is good for \(days) days",
                "Renew it, and look why that is not done by itself."
            )
        }
        return outside(.ok, "the certificate is trusted, and good for \(days) days", nil)
    }

    private func outside(_ state: DoctorRow.State, _ finding: String, _ remedy: String?) -> DoctorRow {
        DoctorRow(check: .tls, state: state, finding: finding, remedy: remedy)
    }

    var providers: DoctorRow {
        if let gap = gaps.first {
            return seen(
                .providers,
                .fail,
                "\(gap.gap ?? ""): \(Self.names(gaps.filter { $0.gap == gap.gap }.map(\.tenant).eachOnce))",
                "`chiladmin client set TENANT --team TEAM --key-id KEY --p8-file FILE --token-url URL` completes it."
            )
        }
        for record in providerRecords {
            if case .missing(let why) = record.keySet {
                return keySet(
                    .fail,
                    record,
                    why,
                    "Nobody signs in by it: correct --jwks-url by `chiladmin client set`."
                )
            }
        }
        for record in providerRecords {
            guard case .kept(let at, let why) = record.keySet else { continue }
            let isOld = now.seconds - at.seconds > Self.keptSecondsMax
            return keySet(
                isOld ? .fail : .warn,
                record,
                "\(why); a service has it from \(at)",
                isOld
                    ? "No service gets it any more: see that they reach it, and chilapi's log."
                    : "Sign-ins go on while services reach it; from here it is out of reach."
            )
        }
        let left = providerRecords.count { $0.keySet == .notAsked }
        if left > 0 {
            return seen(
                .providers,
                .warn,
                "\(left) of \(providerRecords.count) records were not asked for their keys in time",
                "`chiladmin doctor --only providers` takes its own time."
            )
        }
        let what =
            providerRecords.isEmpty ? "no provider record yet" : "the keys of all \(providerRecords.count) records"
        return seen(.providers, .ok, what, nil)
    }

    private var gaps: [ProviderEvidence] { providerRecords.filter { $0.gap != nil } }

    private func keySet(_ state: DoctorRow.State, _ record: ProviderEvidence, _ why: String, _ remedy: String)
        -> DoctorRow
    {
        let same = providerRecords.filter { $0.jwksURL == record.jwksURL && $0.keySet == record.keySet }
        return seen(
            .providers,
            state,
            "the keys of \(record.jwksURL) are not to be had (\(why)): \(Self.names(same.map(\.tenant).eachOnce))",
            remedy
        )
    }
}

extension [String] {
    /// In their order.
    fileprivate var eachOnce: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}

extension TLSFault {
    fileprivate var remedyAsSentence: String { remedy.prefix(1).uppercased() + remedy.dropFirst() + "." }
}
