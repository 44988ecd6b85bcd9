import ChilDatabase

extension AdminFault {
    /// What a failed batch means to the operator. The detail is libpq's or PostgreSQL's own words.
    init(_ error: DatabaseError) {
        let said = error.detail.isEmpty ? error.description : Self.oneLine(error.detail)
        switch error.code {
        case _ where error.sqlState?.hasPrefix("28") == true:
            self.init(
                .notAuthenticated,
                "the database does not let this role in: \(said)",
                remedy:
                    "Give its password in CHIL_DATABASE_URL, PGPASSWORD or ~/.pgpass; pg_hba.conf says who may come from where."
            )
        case .unavailable:
            self.init(
                .databaseAway,
                "no connection to the database: \(said)",
                remedy: "Check CHIL_DATABASE_URL and PostgreSQL."
            )
        case .overloaded, .timedOut, .contended:
            self.init(.tryLater, "the database is busy: \(said)", remedy: "Nothing was done; try again.")
        case .outcomeUnknown:
            self.init(
                .tryLater,
                "the connection was lost before the answer",
                remedy: "Look (list, show) whether it was done, then try again."
            )
        case .exhausted:
            self.init(
                .tryLater,
                "the database has no room left: \(said)",
                remedy: "Give it more disk, memory or connections."
            )
        case .conflict:
            self = Self.conflict(error.constraint ?? "", said)
        case .constraint:
            self = Self.constraint(error.constraint ?? "", said)
        case .forbidden:
            self.init(
                .notPermitted,
                "the role may not do that: \(said)",
                remedy: "Connect as chil_operator; for migrate as an administrator."
            )
        case .broken, .malformedResult:
            self.init(
                .internalFault,
                "the schema is not the expected one: \(said)",
                remedy: "Run `chiladmin migrate` with this release."
            )
        }
    }

    /// By the constraint's name, as `sql/` gives it.
    private static func conflict(_ constraint: String, _ said: String) -> Self {
        switch constraint {
        case "tenant_slug_key":
            Self(.dataRefused, "the slug is taken", remedy: "Choose another: `chiladmin tenant list` shows all.")
        case "printer_name_key":
            Self(
                .dataRefused,
                "the tenant has a printer of that name",
                remedy: "Choose another name, or remove that one first."
            )
        case "scanner_name_key":
            Self(
                .dataRefused,
                "the tenant has a scanner of that name",
                remedy: "Choose another name, remove that one first, or `rotate` it for a new address."
            )
        case "provider_client_production_key":
            Self(
                .dataRefused,
                "the client id belongs to another tenant",
                remedy: "A client id of production has one tenant: remove it there first."
            )
        case "provider_client_pkey":
            Self(
                .dataRefused,
                "the tenant has that client id already",
                remedy: "`chiladmin client list TENANT` shows them."
            )
        case "quota_plan_pkey":
            Self(.dataRefused, "there is a plan of that name", remedy: "`chiladmin plan list` shows them.")
        case "provider_issuer_pkey":
            Self(
                .dataRefused,
                "one of the issuers belongs to another record of this tenant",
                remedy: "Give all issuers of that record: `chiladmin client list TENANT -o json`."
            )
        default:
            Self(.tryLater, "somebody else changed the same at once: \(said)", remedy: "Look, then try again.")
        }
    }

    private static func constraint(_ constraint: String, _ said: String) -> Self {
        switch constraint {
        case "plan_quota_plan_fkey", "tenant_plan_fkey":
            Self(
                .dataRefused,
                "there is no such plan, or tenants have it",
                remedy: "`chiladmin plan list` shows the plans and how many tenants have each."
            )
        case "scanner_owner_fkey":
            Self(.dataRefused, "the tenant has no such user", remedy: "`chiladmin user list TENANT` shows them.")
        default: Self(.dataRefused, "the database refuses the value: \(said)", remedy: "Give another value.")
        }
    }

    /// libpq's words have several lines.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
