package import ChilCore
package import ChilCrypto

/// Moving an app from one team to another (Apple: "Transferring your apps and users to another team"). Each user has another subject
/// with the other team; a transfer identifier leads from the one to the other for 60 days.
extension ProviderClient {
    /// Who a user is with the team that took the app over.
    package struct TransferredUser: Equatable, Sendable {
        package let subject: String
        /// The relay address with the new team, if there is one.
        package let email: String?
    }

    /// A token for the calls below, good for an hour at Apple.
    package func migrationToken(clientID: String, at now: Timestamp) async -> Result<SecretBytes, ProviderFault> {
        var form = FormBody()
        form.append("grant_type", "client_credentials")
        form.append("scope", "user.migration")
        do throws(ProviderFault) {
            let answer = try await post(form, to: endpoints.tokenURL, clientID: clientID, at: now)
            guard let token = try answer.tokens().accessToken else { throw .away("its answer has no access_token") }
            return .success(token)
        } catch {
            return .failure(error)
        }
    }

    /// The transfer identifier of one of our users, for the team that takes over.
    package func transferSubject(
        of subject: String,
        toTeam target: String,
        clientID: String,
        bearer: SecretBytes,
        at now: Timestamp
    ) async -> Result<String, ProviderFault> {
        var form = FormBody()
        form.append("sub", subject)
        form.append("target", target)
        do throws(ProviderFault) {
            let members = try await migrationMembers(form, clientID, bearer, now)
            return .success(try Self.subject("transfer_sub", of: members))
        } catch {
            return .failure(error)
        }
    }

    /// Who the bearer of a transfer identifier is with our team, which took over.
    package func user(
        ofTransferSubject transferSubject: String,
        clientID: String,
        bearer: SecretBytes,
        at now: Timestamp
    ) async -> Result<TransferredUser, ProviderFault> {
        var form = FormBody()
        form.append("transfer_sub", transferSubject)
        do throws(ProviderFault) {
            let members = try await migrationMembers(form, clientID, bearer, now)
            return .success(
                TransferredUser(
                    subject: try Self.subject("sub", of: members),
                    email: members["email"]?.string
                )
            )
        } catch {
            return .failure(error)
        }
    }

    private func migrationMembers(
        _ form: FormBody,
        _ clientID: String,
        _ bearer: SecretBytes,
        _ now: Timestamp
    ) async throws(ProviderFault) -> JSONObject {
        guard let url = endpoints.migrationURL else {
            throw .refusedRequest("the provider record has no migration URL")
        }
        let answer = try await post(form, to: url, clientID: clientID, bearer: bearer, at: now)
        return try answer.members()
    }

    private static func subject(_ name: String, of members: JSONObject) throws(ProviderFault) -> String {
        guard let text = members[name]?.string, TextRule(bytesMax: 255).fault(in: text) == nil else {
            throw .away("its answer has no \(name)")
        }
        return text
    }
}
