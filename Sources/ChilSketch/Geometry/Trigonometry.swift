/// Sine and cosine made of the four operations that IEEE 754 fixes to the bit: the system's own differ between machines, and a page must not.
enum Trigonometry {
    static func sine(_ degrees: Double) -> Double {
        let turns = (degrees / 90).rounded()
        let rest = (degrees - turns * 90) * .pi / 180
        switch Int(turns) & 3 {
        case 0: return smallSine(rest)
        case 1: return smallCosine(rest)
        case 2: return -smallSine(rest)
        default: return -smallCosine(rest)
        }
    }

    static func cosine(_ degrees: Double) -> Double {
        sine(degrees + 90)
    }

    // Taylor's series for at most an eighth of a turn: the next terms are below 1e-13.
    private static func smallSine(_ x: Double) -> Double {
        let s = x * x
        return x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156))))))
    }

    private static func smallCosine(_ x: Double) -> Double {
        let s = x * x
        return 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90 * (1 - s / 132)))))
    }
}
