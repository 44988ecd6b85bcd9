import Testing

@testable import ChilAdmin

/// A right command line for every command.
struct CommandSample: CustomTestStringConvertible, Sendable {
    let path: String
    let words: String

    var line: String { path + (words.isEmpty ? "" : " " + words) }
    var testDescription: String { path }

    private init(_ path: String, _ words: String = "") {
        self.path = path
        self.words = words
    }

    private static let token = "--keys k --issuer http://127.0.0.1:1 --client-id a.b --subject s"

    static let all = [
        Self("migrate"),
        Self("distribute", "--print --shards 64"),
        Self("status"),
        Self("doctor", "--only migrations"),
        Self("console", "--read-only --tenant chillin --refresh 5s"),
        Self("version"),
        Self("completion", "bash"),
        Self("tenant create", "chillin --name Chillin --time-zone Asia/Seoul"),
        Self("tenant list"),
        Self("tenant show", "chillin"),
        Self("tenant update", "chillin --session-idle 14d --sessions-max none"),
        Self("tenant suspend", "chillin"),
        Self("tenant resume", "chillin"),
        Self("tenant consent", "chillin --require collect,disclose:epson --notice 2"),
        Self("tenant delete", "chillin --confirm=chillin"),
        Self("tenant apply", "--file chillin.json"),
        Self("tenant export", "chillin"),
        Self("client add", "chillin --client-id a.b --client-id=c.d"),
        Self("client list", "chillin"),
        Self("client set", "chillin --team A1B2C3D4E5 --key-id F6G7H8I9J0 --p8-file k.p8"),
        Self("client check", "chillin"),
        Self("client remove", "chillin --client-id a.b --confirm=chillin"),
        Self("key list", "chillin"),
        Self("key rotate", "chillin --now"),
        Self("key revoke", "chillin key-1 --confirm chillin"),
        Self("key reseal", "--tenant chillin"),
        Self("user list", "chillin --email ann@example.org --limit 10"),
        Self("user show", "chillin 7"),
        Self("user ban", "chillin 7"),
        Self("user unban", "chillin 7"),
        Self("user export", "chillin 7 --out ann.zip"),
        Self("user delete", "chillin 7 --confirm=chillin"),
        Self("user hold", "chillin 7 --reason case"),
        Self("user release", "chillin 7"),
        Self("consent list", "chillin 7"),
        Self("consent record", "chillin 7 --scopes collect --method sms --guardian g --notice 1"),
        Self("consent withdraw", "chillin 7 --scopes collect,disclose:epson"),
        Self("erasure open", "chillin 7 --reference letter-17"),
        Self("erasure list", "chillin --all"),
        Self("erasure done", "chillin 9 --confirm=chillin"),
        Self("erasure refuse", "chillin 9 --reason no"),
        Self("retention list", "chillin"),
        Self("retention set", "chillin drawings.generated 90"),
        Self("retention unset", "chillin audit"),
        Self("ledger export", "--out deletions.ndjson"),
        Self("ledger apply", "--file deletions.ndjson --confirm=deletions.ndjson"),
        Self("session list", "chillin --user 5 --ended"),
        Self("session revoke", "chillin --session 5"),
        Self("quota set", "chillin drawings 5 --window day"),
        Self("quota unset", "chillin drawings --window day"),
        Self("quota list", "chillin --user 5 --printer office"),
        Self("quota recount", "--tenant chillin --check"),
        Self("plan create", "basic"),
        Self("plan list"),
        Self("plan show", "basic"),
        Self("plan set", "basic printed_pages 20 --scope user --window day --soft 15"),
        Self("plan unset", "basic drawings"),
        Self("plan assign", "chillin basic"),
        Self("plan remove", "basic --confirm=basic"),
        Self("limit set", "chillin user print 10 --per 60"),
        Self("limit unset", "chillin user print"),
        Self("limit list", "chillin"),
        Self("printer add", "chillin --name office --uri ipp://h:631/ipp/print --default --discloses-to epson"),
        Self("printer list", "chillin"),
        Self("printer show", "chillin office"),
        Self("printer test", "chillin office --page"),
        Self("printer authorize", "chillin office --code abc --redirect-uri http://127.0.0.1:8765/epson"),
        Self("printer trust", "chillin office --key sha256:\(String(repeating: "5a", count: 32))"),
        Self("printer discover"),
        Self("printer enable", "chillin office"),
        Self("printer disable", "chillin office"),
        Self("printer drain", "chillin office"),
        Self("printer default", "chillin office"),
        Self("printer share", "chillin office --with school --as library"),
        Self("printer unshare", "chillin office --with school --cancel-jobs --confirm=school"),
        Self("printer remove", "chillin office"),
        Self("job list", "chillin --state blocked --printer office --limit 5"),
        Self("job show", "chillin 7"),
        Self("job cancel", "chillin 7"),
        Self("job retry", "chillin 7"),
        Self("job resolve", "chillin 7 not-printed"),
        Self("job watch", "chillin 7"),
        Self("job stats", "chillin --since 7d --by outcome --printer office"),
        Self("scanner add", "chillin --name hall --user 5 --serial X5YZ012345 --printer office"),
        Self("scanner list", "chillin"),
        Self("scanner show", "chillin hall"),
        Self("scanner rotate", "chillin hall"),
        Self("scanner remove", "chillin hall"),
        Self("image move", "--to s3 --tenant chillin --confirm=chillin"),
        Self("apple transfer export", "chillin --client-id a.b --target Z9Y8X7W6V5 --out users.csv"),
        Self("apple transfer import", "chillin --client-id a.b --file users.csv --move-now"),
        Self("audit list", "chillin --action session.* --since 2h --limit 10"),
        Self("audit tail", "chillin --for 1s"),
        Self("audit verify", "--tenant chillin"),
        Self("audit export", "chillin --out audit.ndjson"),
        Self(
            "audit affected-users",
            "chillin --since 2026-11-01T00:00:00Z --until 2026-11-02T00:00:00Z --data drawings"
        ),
        Self("webhook add", "chillin --url https://hooks.example/chil --events drawing.created,print.failed"),
        Self("webhook list", "chillin"),
        Self("webhook show", "chillin 9"),
        Self("webhook test", "chillin 9"),
        Self("webhook rotate", "chillin 9 --overlap 2d"),
        Self("webhook disable", "chillin 9"),
        Self("webhook enable", "chillin 9"),
        Self("webhook remove", "chillin 9"),
        Self("webhook deliveries", "chillin --state dead"),
        Self("webhook replay", "chillin --dead"),
        Self("generator add", "chillin --kind openai --model gpt-image-1 --key-file openai.key --timeout 2m"),
        Self("generator list", "chillin"),
        Self("generator show", "chillin 9"),
        Self("generator test", "chillin 9 --wish cat"),
        Self("generator update", "chillin 9 --state disabled"),
        Self("generator remove", "chillin 9"),
        Self("generator settings", "chillin --level easy"),
        Self("motion add", "chillin --url http://10.0.0.6:8000 --allow-private 10.0.0.6:8000 --form-field motion"),
        Self("motion list", "chillin"),
        Self("motion test", "chillin 9 --image cat.png --motion jump"),
        Self("motion update", "chillin 9 --timeout 3m"),
        Self("motion remove", "chillin 9"),
        Self("context list"),
        Self("context show", "production"),
        Self("context use", "production"),
        Self("context add", "staging --database service=chil-staging --read-only --color yellow"),
        Self("context remove", "production"),
        Self("dev issuer", "--keys k --listen 127.0.0.1:8082"),
        Self("dev token", token),
        Self("dev scan", "--url http://127.0.0.1:8080/chillin/scan/x --file page.jpg --serial X5"),
        Self("dev motion", "--listen 127.0.0.1:8083"),
        Self("dev epson", "--listen 127.0.0.1:8090 --upload-listen 127.0.0.1:8091"),
    ]

    /// Those that cannot do without a word.
    static let needy = all.filter {
        ![
            "migrate", "distribute", "doctor", "tenant list", "key reseal", "quota recount", "plan list",
            "audit verify",
            "printer discover", "console", "job stats", "context list", "context show", "status", "version",
        ].contains($0.path)
    }
    /// Those that cannot do without what they ask of the services.
    static let asking = all.filter { !["version", "completion"].contains($0.path) }
    /// Those with data on standard output.
    static let speaking = all.filter {
        ![
            "dev issuer", "dev motion", "dev epson", "plan remove", "audit tail", "job watch", "console", "completion",
        ].contains($0.path)
    }
}
