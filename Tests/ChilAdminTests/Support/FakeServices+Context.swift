@testable import ChilAdmin

extension FakeServices: ContextServices {
    func contexts() throws(AdminFault) -> ContextFile {
        try note("contexts")
        return contextFile
    }

    func keepContexts(_ file: ContextFile) throws(AdminFault) {
        try note("keep contexts")
        contextFile = file
    }

    func contextInUse() -> ContextName? { nil }
}
