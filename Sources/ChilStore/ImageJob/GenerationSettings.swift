package import ChilCore
package import ChilDatabase

/// How a tenant's wishes become drawings.
package struct GenerationSettings: Sendable, Equatable {
    /// For whom: how many areas, how thick the lines.
    package enum Level: String, Sendable, CaseIterable { case easy, medium, detailed }

    /// The text around `{wish}` and `{level}`; `nil`: the house's own.
    package let recipe: String?
    package let level: Level
    /// The tenant's own, beside the house's.
    package let blockedWords: [String]

    package init(recipe: String? = nil, level: Level = .medium, blockedWords: [String] = []) {
        self.recipe = recipe
        self.level = level
        self.blockedWords = blockedWords
    }
}

/// A tenant's settings; no row: it has made none.
package struct GenerationSettingsOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select recipe, level, blocked_words from generation_setting where tenant_id = $1")

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> GenerationSettings {
        GenerationSettings(recipe: row.textOrNil(0), level: try row.word(1), blockedWords: row.lines(2))
    }
}

/// A change of a tenant's settings. What is `nil` stays; an empty recipe is the house's again.
package struct GenerationSettingsSet: Sendable {
    let tenant: TenantID
    let recipe: String?
    let level: GenerationSettings.Level?
    let blockedWords: [String]?
    let note: OperatorNote

    package init(
        recipe: String? = nil,
        level: GenerationSettings.Level? = nil,
        blockedWords: [String]? = nil,
        of tenant: TenantID,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.recipe = recipe
        self.level = level
        self.blockedWords = blockedWords
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: tenant)
        batch.add(GenerationSettingsUpsert(set: self))
        _ = try await database.run(batch)
    }
}

/// The audit says what was changed, and no words: they are not for everybody who reads it.
private struct GenerationSettingsUpsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            insert into generation_setting as s (tenant_id, recipe, level, blocked_words, updated_at)
                values ($1, nullif($5::text, ''), coalesce($6, 'medium'), coalesce($7, ''), $3)
                on conflict (tenant_id) do update
                set recipe = nullif(coalesce($5::text, s.recipe), ''), level = coalesce($6, s.level),
                    blocked_words = coalesce($7, s.blocked_words), updated_at = $3
            returning tenant_id, level
        ), \(OperatorNote.insert(
            "generation.set",
            target: "level",
            detail: "concat_ws(' ', case when $5 is not null then 'recipe' end, case when $7 is not null then 'words' end)"
        ))
        select tenant_id from change
        """
    )

    let set: GenerationSettingsSet

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.recipe)
        values.append(set.level?.rawValue)
        values.append(set.blockedWords.map { $0.joined(separator: "\n") })
    }
}
