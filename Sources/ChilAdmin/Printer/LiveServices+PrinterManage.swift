import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices {
    func printer(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterDetailRow {
        let tenant = try await record(of: slug)
        let view = try await view(named: name, of: slug, tenant.id)
        let own = PrintPlace(tenant: tenant.id, printer: view.record.id)
        let (waiting, loans) = try await ask { database throws(DatabaseError) in
            (
                try await UnfinishedPrintJobs(at: own).rows(from: database).count,
                try await PrinterLoans(of: own).rows(from: database)
            )
        }
        var borrowers: [String] = []
        for loan in loans { borrowers.append(try await self.slug(of: loan.borrower.tenant)) }
        return PrinterDetailRow(printer: try await row(of: view), waiting: waiting, lentTo: borrowers)
    }

    func setPrinter(named name: String, of slug: Slug, to state: PrinterRecord.State) async throws(AdminFault)
        -> PrinterRow
    {
        let tenant = try await record(of: slug)
        let change = PrinterSetState(state, named: name, of: tenant.id, note: try note())
        let changed = try await ask { database throws(DatabaseError) in try await change.first(from: database) }
        guard let changed else { throw .noSuchPrinter(name, tenant: slug.text) }
        let own = PrintPlace(tenant: tenant.id, printer: changed.record.id)
        try await tellBorrowers(of: own, state)
        let place = changed.lender ?? own
        try await ask { database throws(DatabaseError) in try await PrintsWake(place).run(on: database) }
        return try await row(of: changed)
    }

    func setDefaultPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterRow {
        let tenant = try await record(of: slug)
        let change = PrinterSetDefault(named: name, of: tenant.id, note: try note())
        let changed = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        guard let changed else { throw .noSuchPrinter(name, tenant: slug.text) }
        return try await row(of: changed)
    }

    func lendPrinter(named name: String, of slug: Slug, to borrower: Slug, as asName: DisplayName?)
        async throws(AdminFault)
        -> PrinterRow
    {
        let tenant = try await record(of: slug)
        let other = try await record(of: borrower)
        guard other.id != tenant.id else {
            throw AdminFault(.dataRefused, "'\(slug)' has this printer", remedy: "Name another tenant behind --with.")
        }
        let view = try await view(named: name, of: slug, tenant.id)
        guard view.lender == nil else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is borrowed by '\(slug)' itself",
                remedy: "Share it from the tenant that has it: `chiladmin printer show \(slug) \(name)`."
            )
        }
        let place = PrintPlace(tenant: tenant.id, printer: view.record.id)
        let printer = PrintPlace(tenant: other.id, printer: try fresh())
        let loan = PrinterLoanAdd(of: place, to: printer, note: try note())
        let isNew = try await ask { database throws(DatabaseError) in try await loan.first(from: database) }
        guard isNew != nil else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is lent to '\(borrower)' already",
                remedy: "`chiladmin printer list \(borrower)` shows it; `chiladmin printer unshare` ends that."
            )
        }
        let lend = PrinterLend(view, at: place, as: printer, named: asName?.text ?? name, note: try note())
        do throws(AdminFault) {
            switch try await ask({ database throws(DatabaseError) in try await lend.run(on: database) }) {
            case .added: break
            case .overQuota:
                throw AdminFault(
                    .dataRefused,
                    "tenant '\(borrower)' has as many printers as it may",
                    remedy: "Remove one, or raise the limit: `chiladmin quota set \(borrower) printers COUNT`."
                )
            }
        } catch {
            let end = PrinterLoanEnd(of: place, to: other.id, note: try note())
            _ = try await ask { database throws(DatabaseError) in try await end.first(from: database) }
            throw error
        }
        return try await row(of: try await self.view(named: asName?.text ?? name, of: borrower, other.id))
    }

    func endLoan(of name: String, of slug: Slug, to borrower: Slug, _ removal: PrinterRemoval)
        async throws(AdminFault)
        -> PrinterRow
    {
        let tenant = try await record(of: slug)
        let other = try await record(of: borrower)
        let view = try await view(named: name, of: slug, tenant.id)
        let place = PrintPlace(tenant: tenant.id, printer: view.record.id)
        let lent = try await views(of: other.id).first { $0.lender == place }
        guard let lent else {
            let end = PrinterLoanEnd(of: place, to: other.id, note: try note())
            _ = try await ask { database throws(DatabaseError) in try await end.first(from: database) }
            throw AdminFault(
                .notFound,
                "no printer '\(name)' is lent to '\(borrower)'",
                remedy: "`chiladmin printer show \(slug) \(name)` shows to whom it is."
            )
        }
        return try await removePrinter(named: lent.record.name, from: borrower, removal)
    }

    func removePrinter(named name: String, from slug: Slug, _ removal: PrinterRemoval) async throws(AdminFault)
        -> PrinterRow
    {
        let tenant = try await record(of: slug)
        let view = try await view(named: name, of: slug, tenant.id)
        let own = PrintPlace(tenant: tenant.id, printer: view.record.id)
        switch removal {
        case .refuse: break
        case .move(let target): try await move(view, to: target, of: slug, tenant.id)
        case .cancel:
            // No new one comes in between.
            _ = try await setPrinter(named: name, of: slug, to: .draining)
            let jobs = try await ask { database throws(DatabaseError) in
                try await UnfinishedPrintJobs(at: own).rows(from: database)
            }
            for job in jobs {
                let cancel = PrintJobCancel(job, in: tenant.id, by: .operator(try note()))
                _ = try await ask { database throws(DatabaseError) in try await cancel.answer(from: database) }
            }
        }
        let change = ChilStore.PrinterRemove(
            named: name,
            of: tenant.id,
            leavesJobs: removal == .cancel,
            note: try note()
        )
        let removed = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        guard removed != nil else {
            throw AdminFault(
                .dataRefused,
                "jobs have not ended at printer '\(name)'",
                remedy: removal == .refuse
                    ? "Say what becomes of them: --move-to PRINTER, --cancel-jobs; or `chiladmin printer drain \(slug) \(name)` and wait."
                    : "Some are at the printer: wait for them (`chiladmin job list \(slug) --printer \(name)`), or --cancel-jobs."
            )
        }
        try await tellBorrowers(of: own, .removed)
        if let lender = view.lender {
            let end = PrinterLoanEnd(of: lender, to: tenant.id, note: try note())
            _ = try await ask { database throws(DatabaseError) in try await end.first(from: database) }
        }
        try await ask { database throws(DatabaseError) in try await PrintsWake(view.lender ?? own).run(on: database) }
        return try await row(of: view)
    }

    private func move(_ view: PrinterView, to target: String, of slug: Slug, _ tenant: TenantID)
        async throws(AdminFault)
    {
        let other = try await self.view(named: target, of: slug, tenant)
        guard other.record.id != view.record.id, other.state == .enabled else {
            throw AdminFault(
                .dataRefused,
                "printer '\(target)' takes no prints",
                remedy: "Name another one that is enabled: `chiladmin printer list \(slug)`."
            )
        }
        _ = try await setPrinter(named: view.record.name, of: slug, to: .draining)
        let place = other.lender ?? PrintPlace(tenant: tenant, printer: other.record.id)
        let move = PrintJobsMove(from: view.record.id, to: other.record.id, at: place, of: tenant, note: try note())
        let moved = try await ask { database throws(DatabaseError) in try await move.answer(from: database) }
        talk("\(moved) jobs go to printer '\(target)'.")
        try await ask { database throws(DatabaseError) in try await PrintsWake(place).run(on: database) }
    }

    private func tellBorrowers(of place: PrintPlace, _ state: PrinterRecord.State) async throws(AdminFault) {
        let moment = now()
        try await ask { database throws(DatabaseError) in
            for loan in try await PrinterLoans(of: place).rows(from: database) {
                try await PrinterLenderState(state, at: loan.borrower, at: moment).touched(on: database)
            }
        }
    }

    func views(of tenant: TenantID) async throws(AdminFault) -> [PrinterView] {
        try await ask { database throws(DatabaseError) in try await PrinterViews(of: tenant).rows(from: database) }
    }

    func view(named name: String, of slug: Slug, _ tenant: TenantID) async throws(AdminFault) -> PrinterView {
        guard let found = try await views(of: tenant).first(where: { $0.record.name.isExactly(name) }) else {
            throw .noSuchPrinter(name, tenant: slug.text)
        }
        return found
    }

    /// With the lender's name in the place of an address.
    func row(of view: PrinterView) async throws(AdminFault) -> PrinterRow {
        guard let lender = view.lender else { return PrinterRow(view, lender: nil) }
        return PrinterRow(view, lender: try await slug(of: lender.tenant))
    }

    private func slug(of tenant: TenantID) async throws(AdminFault) -> String {
        let found = try await ask { database throws(DatabaseError) in
            try await database.run(TenantByID(id: tenant), .read, of: nil).first
        }
        return found?.slug ?? "\(tenant.rawValue)"
    }
}
