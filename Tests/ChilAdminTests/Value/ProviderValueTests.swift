import Testing

@testable import ChilAdmin

@Suite struct ProviderValueTests {
    @Test(arguments: [
        ("https://app.example/signed-in", true), ("com.example.app://signed-in", true), ("app://x", true),
        ("signinwithapple://callback", true), ("http://127.0.0.1:8080/x", true),
        ("https://app.example/?a=b", false), ("https://app.example/#f", false), ("app://x?y", false),
        ("javascript://%0aalert(1)", false), ("data://text/html,x", false), ("file:///etc/passwd", false),
        ("blob://x", false), ("JavaScript://x", false), ("vbscript://x", false), ("view-source://x", false),
        ("app:x", false), ("://x", false), ("1app://x", false), ("app://x y", false), ("app://x\"y", false),
        ("https://user@h/", false), ("", false), ("a\u{301}pp://x", false),
    ])
    func returnAddresses(_ text: String, _ isOne: Bool) {
        #expect((ReturnAddress(argument: text) != nil) == isOne)
    }

    @Test(arguments: [
        ("A1B2C3D4E5", true), ("a", true), (String(repeating: "A", count: 64), true), ("", false), ("A B", false),
        ("A-B", false), ("Ä", false), (String(repeating: "A", count: 65), false), ("A\n", false),
    ])
    func providerWords(_ text: String, _ isOne: Bool) {
        #expect((ProviderWord(argument: text) != nil) == isOne)
    }
}
