package import ChilCore
package import ChilDatabase

/// A value that is sealed under the key file, where it is kept. What lives for a day at most is not among them: `ShortLivedOfOthers`.
package struct SealedValue: Sendable {
    /// As the sealing binds it: `table.column`.
    package let column: String
    /// The row's key within its tenant: a key id or a provider's number, and a subject where there is one.
    package let key: String
    package let subject: String
    package let bytes: [UInt8]
}

/// Values of a tenant that are sealed under another version of the key file than `version`, in the order of their places.
package struct SealedValuesOfOthers: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select place, key, subject, bytes
          from (
               select 'tenant_key.sealed_private' as place, key_id as key, '' as subject, sealed_private as bytes
                 from tenant_key where tenant_id = $1 and sealed_private <> ''
               union all
               select 'provider.sealed_key', provider_id::text, '', sealed_key
                 from provider where tenant_id = $1 and sealed_key is not null
               union all
               select 'identity.sealed_token', provider_id::text, subject, sealed_token
                 from identity where tenant_id = $1 and sealed_token is not null
               union all
               select 'webhook_endpoint.sealed_secret', endpoint_id::text, '', sealed_secret
                 from webhook_endpoint where tenant_id = $1
               union all
               select 'webhook_endpoint.sealed_old_secret', endpoint_id::text, '', sealed_old_secret
                 from webhook_endpoint where tenant_id = $1 and sealed_old_secret is not null
               union all
               select 'image_endpoint.sealed_key', endpoint_id::text, '', sealed_key
                 from image_endpoint where tenant_id = $1 and sealed_key is not null
               union all
               select 'epson_account.sealed_secret', printer_id::text, '', sealed_secret
                 from epson_account where tenant_id = $1
               union all
               select 'epson_account.sealed_api_key', printer_id::text, '', sealed_api_key
                 from epson_account where tenant_id = $1 and sealed_api_key is not null
               union all
               select 'epson_account.sealed_refresh', printer_id::text, '', sealed_refresh
                 from epson_account where tenant_id = $1 and sealed_refresh is not null
               ) as sealed
         where substring(bytes from 1 for 1) <> $2 and (place collate "C", key collate "C", subject collate "C") > ($3, $4, $5)
         order by place collate "C", key collate "C", subject collate "C" limit $6
        """
    )

    package let tenant: TenantID
    let version: UInt8
    let last: SealedValue?
    let countMax: Int

    /// - Parameter last: where the page before ended.
    package init(than version: UInt8, of tenant: TenantID, after last: SealedValue?, countMax: Int) {
        self.tenant = tenant
        self.version = version
        self.last = last
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append([version])
        values.append(last?.column ?? "")
        values.append(last?.key ?? "")
        values.append(last?.subject ?? "")
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SealedValue {
        SealedValue(column: row.text(0), key: row.text(1), subject: row.text(2), bytes: row.bytes(3))
    }
}

/// How many values of a tenant that live for a day at most (codes to be exchanged, tokens to be revoked) are sealed under another version
/// of the key file than `version`. They are not sealed anew: they go, and the version may go after them.
package struct ShortLivedOfOthers: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select (select count(*) from token_revocation
                 where tenant_id = $1 and sealed_token is not null and substring(sealed_token from 1 for 1) <> $2)
             + (select count(*) from code_exchange
                 where tenant_id = $1 and substring(sealed_code from 1 for 1) <> $2)
        """
    )

    package let tenant: TenantID
    let version: UInt8

    package init(than version: UInt8, of tenant: TenantID) {
        self.tenant = tenant
        self.version = version
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append([version])
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Puts a value that was sealed anew in the place of the one that was read. False: it is another by now.
package struct SealedValueReplace: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_reseal($1, $2, $3, $4, $5, $6)")

    package let tenant: TenantID
    let value: SealedValue
    let bytes: [UInt8]

    package init(_ value: SealedValue, of tenant: TenantID, by bytes: [UInt8]) {
        self.tenant = tenant
        self.value = value
        self.bytes = bytes
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(value.column)
        values.append(value.key)
        values.append(value.subject)
        values.append(value.bytes)
        values.append(bytes)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
