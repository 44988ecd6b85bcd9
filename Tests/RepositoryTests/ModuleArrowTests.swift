import Foundation
import Testing

/// The house's rules that no compiler checks.
@Suite struct ModuleArrowTests {
    struct Module: Sendable, CustomTestStringConvertible {
        let name: String
        let mayImport: Set<String>
        var testDescription: String { name }
    }

    static let system: Set<String> = ["Glibc", "Dispatch", "Synchronization", "FoundationEssentials"]

    /// From the cellar up: a module imports from below alone.
    static let modules = [
        Module(name: "ChilCore", mayImport: []),
        Module(name: "ChilCrypto", mayImport: ["ChilCore", "COpenSSL"]),
        Module(name: "ChilLoop", mayImport: ["ChilCore", "ChilCrypto", "CLinux"]),
        Module(name: "ChilHTTP", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "CLinux"]),
        Module(name: "ChilDatabase", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "CPostgres"]),
        Module(name: "ChilAuth", mayImport: ["ChilCore", "ChilCrypto"]),
        Module(name: "ChilOpenAPI", mayImport: ["ChilCore"]),
        Module(name: "ChilConsole", mayImport: ["ChilCore"]),
        Module(name: "ChilStore", mayImport: ["ChilCore", "ChilCrypto", "ChilDatabase", "ChilSchema"]),
        Module(name: "ChilS3", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilStore"]),
        Module(name: "ChilExport", mayImport: ["ChilCore", "ChilDatabase", "ChilStore", "CZlib"]),
        Module(name: "ChilMedia", mayImport: ["ChilCore", "ChilCrypto", "CZlib"]),
        Module(name: "ChilSketch", mayImport: ["ChilMedia"]),
        Module(name: "ChilRaster", mayImport: ["ChilCore", "CLinux"]),
        Module(
            name: "ChilPrint",
            mayImport: ["ChilCore", "ChilCrypto", "ChilMedia", "ChilLoop", "ChilHTTP", "CZlib"]
        ),
        Module(name: "ChilProvider", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilAuth"]),
        Module(
            name: "ChilGenerator",
            mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilMedia", "ChilPrint"]
        ),
        Module(name: "ChilWebhook", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP"]),
        Module(name: "ChilMotion", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilMedia"]),
        Module(
            name: "ChilDevMotion",
            mayImport: ["ChilCore", "ChilLoop", "ChilHTTP", "ChilMedia", "ChilMotion", "ChilPrint"]
        ),
        Module(
            name: "ChilEpson",
            mayImport: [
                "ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilAuth", "ChilDatabase", "ChilStore", "ChilMedia",
                "ChilPrint",
            ]
        ),
        Module(name: "ChilDevEpson", mayImport: ["ChilCore", "ChilLoop", "ChilHTTP"]),
        Module(name: "ChilDevIssuer", mayImport: ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilAuth"]),
        Module(
            name: "ChilAPI",
            mayImport: [
                "ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilDatabase", "ChilAuth", "ChilStore", "ChilMedia",
                "ChilPrint", "ChilRaster", "ChilProvider", "ChilGenerator", "ChilSketch", "ChilWebhook", "ChilExport",
                "ChilOpenAPI", "ChilS3", "ChilMotion", "ChilEpson", "CLinux",
            ]
        ),
        Module(
            name: "ChilAdmin",
            mayImport: [
                "ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilDatabase", "ChilAuth", "ChilStore", "ChilPrint",
                "ChilProvider", "ChilGenerator", "ChilSketch", "ChilWebhook", "ChilDevIssuer", "ChilExport",
                "ChilS3", "ChilMedia", "ChilMotion", "ChilDevMotion", "ChilEpson", "ChilDevEpson", "ChilRaster",
                "ChilConsole",
            ]
        ),
    ]

    @Test(arguments: modules)
    func importsPointDown(_ module: Module) throws {
        for file in try Tree.swiftFiles(under: "Sources/\(module.name)") {
            for line in try Tree.lines(of: file) {
                guard let imported = Self.importedModule(line) else { continue }
                #expect(
                    module.mayImport.union(Self.system).contains(imported),
                    "\(Tree.name(of: file)) imports \(imported)"
                )
            }
        }
    }

    @Test func pureModulesTouchNoSystem() throws {
        for module in ["ChilCore", "ChilAuth", "ChilMedia", "ChilSketch", "ChilConsole"] {
            for file in try Tree.swiftFiles(under: "Sources/\(module)") {
                let imports = try Tree.lines(of: file).compactMap(Self.importedModule)
                #expect(!imports.contains("Dispatch"), "\(Tree.name(of: file)) does work elsewhere")
            }
        }
    }

    @Test func everyModuleIsInTheList() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Tree.root + "/Sources")
        let known = Set(Self.modules.map(\.name) + ["COpenSSL", "CPostgres", "CLinux", "CZlib"])
        #expect(Set(folders) == known)
    }

    private static func importedModule(_ line: String) -> String? {
        let words = line.split(separator: " ").map(String.init)
        guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
            words[..<index].allSatisfy({ ["package", "internal", "private", "@testable", "public"].contains($0) })
        else { return nil }
        return words[index + 1]
    }
}
