extension Subject {
    /// Where it belongs, if a wish says nothing else.
    enum Home: Sendable {
        case ground, air, heavens, water, surface, anywhere
    }

    var home: Home {
        switch self {
        case .butterfly, .bee, .bird, .airplane, .hotAirBalloon, .rocket, .balloons: .air
        case .sun, .moon, .star, .cloud, .rainbow: .heavens
        case .fish, .octopus: .water
        case .whale, .boat: .surface
        case .cake, .iceCream, .apple, .strawberry, .umbrella, .gift, .heart, .ball: .anywhere
        default: .ground
        }
    }

    /// Its height beside others', a child's being one. A page is no zoo guide: what is small is still large enough to colour.
    var height: Double {
        switch self {
        case .elephant, .dinosaur, .dragon, .unicorn, .horse, .train: 1.12
        case .giraffe, .tree, .castle, .house, .mountain: 1.35
        case .whale, .boat, .bus, .rainbow: 1
        case .child, .princess, .robot, .snowman, .rocket, .hotAirBalloon, .bear, .panda, .lion, .tiger, .monkey,
            .balloons:
            1
        case .car, .turtle, .fish, .octopus, .crab, .airplane, .duck, .owl, .penguin, .frog, .cloud, .umbrella, .cake:
            0.78
        case .bird, .butterfly, .bee, .ladybug, .snail, .mouse, .flower, .mushroom, .star, .strawberry, .apple, .ball,
            .gift, .heart:
            0.66
        default: 0.9
        }
    }

    /// How many are meant by its plural alone.
    var plural: Int {
        height < 0.7 ? 3 : 2
    }

    /// Where another sits on it: shares of its width and height, from the top left.
    var seat: Point {
        switch self {
        case .moon: Point(0.7, 0.79)
        case .elephant, .horse, .unicorn: Point(0.62, 0.36)
        case .dinosaur, .dragon: Point(0.5, 0.1)
        case .turtle, .snail: Point(0.58, 0.12)
        case .whale: Point(0.4, 0.4)
        case .boat: Point(0.5, 0.7)
        case .car, .bus: Point(0.45, 0.06)
        case .rainbow: Point(0.5, 0.06)
        case .cloud: Point(0.5, 0.22)
        case .house: Point(0.45, 0.4)
        case .mountain: Point(0.42, 0.05)
        default: Point(0.5, 0.06)
        }
    }
}
