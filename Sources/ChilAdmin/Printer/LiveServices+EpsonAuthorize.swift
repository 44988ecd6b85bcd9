import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilDevIssuer
import ChilEpson
import ChilHTTP
import ChilLoop
import ChilStore

extension LiveServices: EpsonPrinterServices {
    func authorizePrinter(named name: String, of slug: Slug, _ permission: EpsonPermission)
        async throws(AdminFault)
        -> PrinterRow
    {
        let tenant = try await record(of: slug)
        guard let printer = try await printers(of: slug).first(where: { $0.name.isExactly(name) }) else {
            throw .noSuchPrinter(name, tenant: slug.text)
        }
        let id = PrinterID(rawValue: printer.id)
        let load = EpsonAccountLoad(of: id, in: tenant.id)
        let account = try await ask { database throws(DatabaseError) in try await load.first(from: database) }
        guard let account, account.kind == .epsonV2 else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is not of the kind epson-v2",
                remedy: "Others need nobody's permission: `chiladmin printer test \(slug) \(name)` asks the printer."
            )
        }
        let code: SecretBytes
        if let given = permission.code {
            code = SecretBytes(copying: Array(given.text.utf8))
        } else {
            code = try await permitted(account, permission)
        }
        let redirect = permission.redirect.text
        let (database, sealer) = (try database(), try sealer())
        let outcome: Result<EpsonGrant, EpsonFault> = await LoopHome(try loop()).run { loop in
            let vault = EpsonVault(of: id, in: tenant.id, database, sealer, on: loop)
            do throws(EpsonFault) {
                let granting = EpsonGranting(try await vault.site(), on: loop)
                return .success(try await granting.exchange(code: code, redirectURI: redirect))
            } catch {
                return .failure(error)
            }
        }
        let grant: EpsonGrant
        switch outcome {
        case .success(let given): grant = given
        case .failure(let fault):
            throw AdminFault(
                .failed,
                "Epson Connect takes no such code",
                remedy: "\(fault.sentence) A code is good once and for minutes: run `printer authorize` again."
            )
        }
        guard let refresh = grant.refresh else {
            throw AdminFault(.failed, "Epson Connect gave no lasting permission", remedy: "Try again.")
        }
        let change = EpsonAuthorize(
            id,
            of: tenant.id,
            sealedRefresh: try sealed(refresh, of: tenant.id, EpsonAccount.refreshColumn),
            sealedAccess: try sealed(grant.access, of: tenant.id, EpsonAccount.accessColumn),
            until: now() + grant.lifetime,
            note: try note()
        )
        guard try await ask({ database throws(DatabaseError) in try await change.first(from: database) }) != nil else {
            throw .noSuchPrinter(name, tenant: slug.text)
        }
        return printer
    }

    /// The code that the browser brings back, when the owner has agreed.
    private func permitted(_ account: EpsonAccount, _ permission: EpsonPermission) async throws(AdminFault)
        -> SecretBytes
    {
        guard let auth = HTTPURL(account.authURL), let redirect = HTTPURL(permission.redirect.text) else {
            throw AdminFault(.configuration, "an address is none", remedy: "Add the printer again.")
        }
        guard !redirect.isSecure, redirect.host != "localhost",
            let address = SocketAddress(numericHost: redirect.host, port: redirect.port),
            LoopbackHost.contains(address)
        else {
            throw AdminFault(
                .usage,
                "nothing of '\(redirect)' can be waited for on this machine",
                remedy: "Use http://127.0.0.1:PORT/…, registered at Epson, or paste the code: --code CODE."
            )
        }
        let state: String
        do throws(CryptoError) {
            state = Base64URL.text(of: try SecureRandom.bytes(24))
        } catch {
            throw AdminFault(.internalFault, "no random numbers: \(error)", remedy: "Try again.")
        }
        let inbox = EpsonRedirect(path: redirect.target, state: state)
        let server: HTTPLoop
        do {
            server = HTTPLoop(try Listener(on: address), ServerLimits(), LoopBalance(), on: try loop()) { _ in
                EpsonRedirectHandler(inbox)
            }
        } catch {
            throw error as? AdminFault
                ?? AdminFault(
                    .failed,
                    "cannot wait on \(redirect.authority): \(error)",
                    remedy: "End what listens there, or register another --redirect-uri at Epson."
                )
        }
        inbox.whenSettled { server.requestStop() }
        let signals = StopSignals { server.requestStop() }
        let wait = Duration.seconds(permission.waitSeconds)
        server.loop.post { [loop = server.loop] in _ = loop.after(wait) { server.requestStop() } }
        let place = EpsonGranting.authorizeURL(
            auth,
            clientID: account.clientID,
            redirectURI: permission.redirect.text,
            state: state
        )
        talk("Have the printer's owner open this in a browser on this machine, and agree:\n\(place)\n")
        do { try await server.run() } catch {
            throw AdminFault(.failed, "cannot wait on \(redirect.authority): \(error)", remedy: "Try another port.")
        }
        withExtendedLifetime(signals) {}
        switch inbox.outcome {
        case .code(let code): return code
        case .refused(let error):
            throw AdminFault(
                .failed,
                "its owner was sent back without permission: \(error)",
                remedy: error == "not_registered"
                    ? "The Epson account has no printer: register it at Epson Connect first." : "Try again."
            )
        case nil:
            throw AdminFault(
                .tryLater,
                "nobody has agreed",
                remedy: "Run it again; or paste the code of the browser's address line: --code CODE."
            )
        }
    }
}
