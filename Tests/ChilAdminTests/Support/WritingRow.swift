/// A line of a command that writes, for a database as the lines before it have left it.
struct WritingRow {
    let path: String
    let words: String
    /// Run by the administrator before it.
    let before: String?

    /// This line, of a command whose other ways are not.
    var isAudited: Bool { path == "tenant delete" && !words.contains("--now") }
    var line: String { path + " " + words }

    init(_ path: String, _ words: String = "", before: String? = nil) {
        self.path = path
        self.words = words
        self.before = before
    }

    /// Why no row of the audit names the operator: each tenant has its own audit, and these are of none.
    static let unaudited = [
        "plan create": "a plan is of no tenant; what changes for a tenant is audited there (plan assign)",
        "plan remove": "only a plan that no tenant has is removed",
        "tenant delete": "the audit goes with the tenant; ended_tenant keeps its slug, when, and by whom",
    ]

    static let people = """
        insert into app_user (tenant_id, user_id, given_name, email, created_at, updated_at)
        select t.tenant_id, n, 'Name ' || n, 'mail' || n || '@example.org', now(), now()
          from tenant t, generate_series(1001, 1003) n where t.slug = 'chillin' on conflict do nothing;
        insert into session (tenant_id, session_id, user_id, salt, rotated_at, created_at, last_used_at, idle_expires_at, expires_at)
        select u.tenant_id, u.user_id + 1000, u.user_id, '', now(), now(), now(), now() + interval '1 day', now() + interval '1 day'
          from app_user u where u.user_id between 1001 and 1003 on conflict do nothing;
        """

    /// Three prints: one that waits, one that failed, one that nobody knows of.
    private static let prints = """
        insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
        select tenant_id, 1001, decode(repeat('ab', 32), 'hex'), 1, 'image/png', 1, 1, 0, '\\x00' from tenant where slug = 'chillin';
        insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type,
                             image_hash)
        select tenant_id, 3001, 1001, 1, now(), now(), 1, 1, 'UPLOADED', 'READY', 'image/png', decode(repeat('ab', 32), 'hex')
          from tenant where slug = 'chillin';
        insert into print_job (tenant_id, job_id, owner_id, drawing_id, printer_id, state, scale, copies, machine, created_at, updated_at,
                               expires_at)
        select p.tenant_id, j.job, 1001, 3001, p.printer_id, j.state, 'LARGE', 1, j.machine, now(), now(), now() + interval '1 day'
          from printer p,
               (values (4001, 'queued', null), (4002, 'failed', null),
                       (4003, 'outcomeUnknown', '1 outcomeUnknown:answerLost attempt=1 cancel=0 next=0 expires=0 since=0 pages=0 '
                           || 'failures=0 polls=0 uptime=-1')) j (job, state, machine)
         where p.name = 'office';
        insert into print_job_event (tenant_id, job_id, sequence, state, at)
        select tenant_id, job_id, 1, 'queued', now() from print_job;
        insert into work (tenant_id, work_id, kind, subject_id, run_at)
        select tenant_id, 4001, 'print', 4001, now() from tenant where slug = 'chillin';
        """

    /// Not all of a tenant, and somewhat else than what is there.
    static let file = #"""
        {"slug": "chillin", "name": "아틀리에", "quotas": [{"metric": "drawings", "limit": 9}], "retention": {"audit": "forever"},
         "printers": [{"name": "--hall", "uri": "ipp://127.0.0.1:9/ipp/print", "default": true, "state": "disabled"}]}
        """#

    private static let dead = """
        insert into webhook_event (tenant_id, event_id, type, subject, data, at)
        select tenant_id, 77, 'drawing.created', '3001', '', now() from tenant where slug = 'chillin';
        insert into webhook_delivery (tenant_id, endpoint_id, event_id, type, state, ended_at)
        select tenant_id, endpoint_id, 77, 'drawing.created', 'dead', now() from webhook_endpoint;
        """

    static let all = [
        Self("tenant create", "third --name 셋째 --guest"),
        Self(
            "tenant update",
            "chillin --session-idle 14d --guest on --print-scale paper --time-zone Asia/Seoul --sessions-max 5"
        ),
        Self("tenant consent", "chillin --require collect --notice 2"),
        Self("tenant suspend", "chillin"),
        Self("tenant resume", "chillin"),
        Self("client add", "chillin --client-id a.b --client-id c.d"),
        Self("client set", "chillin --client-id a.b --token-age-max 600"),
        Self("client remove", "chillin --client-id a.b --confirm=chillin"),
        Self("key reseal", "--tenant chillin"),
        Self("key rotate", "chillin"),
        Self("key revoke", "chillin --confirm=chillin -- {key}"),
        Self("user ban", "chillin 1002"),
        Self("user unban", "chillin 1002"),
        Self("user hold", "chillin 1002 --reason case"),
        Self("user release", "chillin 1002"),
        Self("consent record", "chillin 1001 --scopes collect --method sms --guardian g --notice 2"),
        Self("consent withdraw", "chillin 1001 --scopes collect"),
        Self("erasure open", "chillin 1002 --reference letter-17"),
        Self("erasure refuse", "chillin {erasure} --reason no"),
        Self("erasure open", "chillin 1002"),
        Self("erasure done", "chillin {erasure} --confirm=chillin"),
        Self("user delete", "chillin 1003 --confirm=chillin"),
        Self("ledger apply", "--file {folder}/deletions.ndjson --confirm=deletions.ndjson"),
        Self("retention set", "chillin audit 400"),
        Self("retention unset", "chillin audit"),
        Self("session revoke", "chillin --session 2001"),
        Self("quota set", "chillin drawings 50"),
        Self("quota recount", "--tenant chillin", before: "update quota set used = 7 where metric = 'drawings'"),
        Self("quota unset", "chillin drawings"),
        Self("plan create", "basic"),
        Self("plan assign", "chillin basic"),
        Self("plan set", "basic drawings 5 --scope user"),
        Self("plan unset", "basic drawings --scope user"),
        Self("plan assign", "chillin none"),
        Self("plan remove", "basic --confirm=basic"),
        Self("limit set", "chillin user print 10 --per 60"),
        Self("limit unset", "chillin user print"),
        Self("printer add", "chillin --name office --uri ipp://127.0.0.1:9/ipp/print"),
        Self("printer add", "chillin --name safe --uri ipps://127.0.0.1:9/ipp/print"),
        Self("printer trust", "chillin safe --key sha256:\(String(repeating: "5a", count: 32))"),
        Self("printer default", "chillin office"),
        Self("printer share", "chillin office --with other --as library"),
        Self("printer disable", "chillin office"),
        Self("printer drain", "chillin office"),
        Self("printer enable", "chillin office"),
        Self("job cancel", "chillin 4001", before: prints),
        Self("tenant consent", "chillin --require none"),
        Self("job retry", "chillin 4002"),
        Self("job resolve", "chillin 4003 not-printed"),
        Self("printer unshare", "chillin office --with other --cancel-jobs --confirm=other"),
        Self("printer remove", "chillin office --cancel-jobs --confirm=chillin"),
        Self("scanner add", "chillin --name hall --user 1001 --serial X5YZ"),
        Self("scanner rotate", "chillin hall"),
        Self("scanner remove", "chillin hall"),
        Self("webhook add", "chillin --url http://127.0.0.1:9/x --allow-private 127.0.0.1:9 --events drawing.created"),
        Self("webhook replay", "chillin --dead", before: dead),
        Self("webhook rotate", "chillin {webhook} --overlap 2d"),
        Self("webhook disable", "chillin {webhook}"),
        Self("webhook enable", "chillin {webhook}"),
        Self("webhook remove", "chillin {webhook}"),
        Self("generator add", "chillin --kind sketchbook"),
        Self("generator update", "chillin {generator} --timeout 3m"),
        Self("generator settings", "chillin --level easy"),
        Self("generator remove", "chillin {generator}"),
        Self("motion add", "chillin --url http://127.0.0.1:9 --allow-private 127.0.0.1:9"),
        Self("motion update", "chillin {motion} --timeout 3m"),
        Self("motion remove", "chillin {motion}"),
        Self("tenant apply", "--file {folder}/tenant.json --prune --confirm=chillin"),
        Self("tenant delete", "other --confirm=other"),
        Self("tenant resume", "other"),
        Self("tenant delete", "leaving --now --confirm=leaving"),
    ]
}
