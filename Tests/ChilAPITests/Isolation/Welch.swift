import Foundation

/// Welch's t of two samples, each without its slowest tenth: what interrupted it says nothing of what was asked.
enum Welch {
    static func t(_ first: [Double], _ second: [Double]) -> Double {
        func facts(_ sample: [Double]) -> (mean: Double, error: Double) {
            let kept = sample.sorted().prefix(sample.count * 9 / 10)
            let mean = kept.reduce(0, +) / Double(kept.count)
            let variance = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(kept.count - 1)
            return (mean, variance / Double(kept.count))
        }
        let (a, b) = (facts(first), facts(second))
        return abs(a.mean - b.mean) / (a.error + b.error).squareRoot()
    }
}
