import ChilCore
import ChilStore

/// Makes the pictures of one purpose: what a job of that purpose does, and nothing of how jobs are kept. It works on its loop.
protocol ImageMaker {
    /// One attempt, within the lease that the carrier keeps. What it throws ends the attempt as if the process had died.
    ///
    /// - Parameter attempt: from 1.
    func make(_ task: ImageJobTask, in tenant: TenantID, attempt: Int) async throws -> MakingOutcome
}

/// What came of an attempt.
enum MakingOutcome: Sendable {
    case made(MadeImage)
    /// It will never be: a code that the person is told.
    case refused(String)
    /// It was not possible now.
    case failed(String, retryAfter: Duration?)
}

/// A picture that is fit to be kept.
struct MadeImage: Sendable {
    let bytes: [UInt8]
    let mediaType: String
    let width: Int
    let height: Int
    /// What the service says that it drew.
    var revisedPrompt: String?
    /// Who made it.
    var endpoint: ImageEndpointID?
}
