package import ChilDatabase

/// Runs a text of several statements by the simple query protocol, as an administrator. Values have no place in it.
package protocol ScriptRunner {
    /// One implicit transaction, unless the text has its own `begin` and `commit`. After an error nothing of an open
    /// transaction is left, and the connection is not used again.
    func runScript(_ sql: String) async throws(DatabaseError)
}

extension DatabaseScript: ScriptRunner {}
