import ChilStore
import Testing

@testable import ChilAdmin

/// What the commands of quotas say of what came out.
@Suite struct QuotaOutcomeTests {
    /// Whoever goes by the status hears of a wrong count.
    @Test func countsThatDifferFailACheck() async {
        let services = FakeServices()
        let fine = await Run("quota recount --check", services: services)
        #expect(fine.status == .success && fine.err == "Every count is what there is.\n")
        services.countDifferences = [
            QuotaRecount.Row(
                tenant: "chillin",
                metric: "drawings",
                scope: "user",
                window: "none",
                subject: 7,
                used: 3,
                counted: 2
            )
        ]
        let check = await Run("quota recount --check", services: services)
        #expect(check.status == .failed && check.err.contains("without --check"))
        #expect(check.out.contains("chillin  drawings  user   none          7     3        2\n"), "\(check.out)")
        let mended = await Run("quota recount", services: services)
        #expect(mended.status == .success && mended.err == "These counts were set right.\n" && mended.out == check.out)
    }

    @Test func aLimitThatCannotBeTakenAwaySaysWhy() async {
        let services = FakeServices()
        #expect(await Run("quota unset chillin drawings", services: services).err.contains("no such limit any more"))
        services.unsetOutcome = .planHolds
        #expect(await Run("quota unset chillin drawings", services: services).err.contains("plan's limit holds again"))
        services.unsetOutcome = .isOfPlan
        let ofPlan = await Run("quota unset chillin drawings", services: services)
        #expect(ofPlan.status == .dataRefused && ofPlan.err.contains("plan assign"))
        services.unsetOutcome = .missing
        let missing = await Run("quota unset chillin drawings", services: services)
        #expect(missing.status == .notFound && missing.err.contains("no limit drawings tenant none"))
    }
}
