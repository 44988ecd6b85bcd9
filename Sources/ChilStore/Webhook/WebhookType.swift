/// What a tenant's servers can be told of. The words are published.
package enum WebhookType: String, Sendable, CaseIterable {
    case userCreated = "user.created"
    case userDeleted = "user.deleted"
    case sessionReuse = "session.reuse"
    case quotaWarn = "quota.warn"
    case quotaExhausted = "quota.exhausted"
    case drawingCreated = "drawing.created"
    case drawingDeleted = "drawing.deleted"
    case printCompleted = "print.completed"
    case printBlocked = "print.blocked"
    case printFailed = "print.failed"
    case scanReceived = "scan.received"
}
