/// What is looked at.
package enum Noun: String, CaseIterable, Sendable {
    case overview, tenants, users, sessions, drawings, printers, jobs, queue, audit, services, database

    /// Whether it is of one tenant.
    package var isOfTenant: Bool {
        switch self {
        case .users, .sessions, .drawings, .printers, .jobs, .audit: true
        case .overview, .tenants, .queue, .services, .database: false
        }
    }

    /// Those behind the keys 1 to 6, of the tenant at hand.
    static let tabs: [Noun] = [.users, .sessions, .drawings, .printers, .jobs, .audit]

    var isListOfTenants: Bool { self == .overview || self == .tenants }
}

/// Where one is: a list, of whom.
package struct Place: Equatable, Sendable {
    package var noun: Noun
    /// The tenant's slug.
    package var tenant: String?
    /// Of this user alone.
    package var user: String?
    /// At this printer alone.
    package var printer: String?

    package init(_ noun: Noun, tenant: String? = nil, user: String? = nil, printer: String? = nil) {
        self.noun = noun
        self.tenant = tenant
        self.user = user
        self.printer = printer
    }

    /// One word of the breadcrumbs.
    func crumb(behind other: Place?) -> String {
        var crumb = noun.rawValue
        if let tenant, tenant != other?.tenant { crumb = "\(tenant) \(crumb)" }
        if let user, user != other?.user { crumb += " of \(user)" }
        if let printer, printer != other?.printer { crumb += " at \(printer)" }
        return crumb
    }
}

/// One row, wherever it is.
package struct RowName: Equatable, Sendable {
    package let noun: Noun
    package let tenant: String?
    /// A slug, a number, a printer's name.
    package let key: String

    package init(_ noun: Noun, tenant: String?, key: String) {
        self.noun = noun
        self.tenant = tenant
        self.key = key
    }
}
