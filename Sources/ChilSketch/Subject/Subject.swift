/// What the sketchbook can draw.
enum Subject: String, CaseIterable, Sendable {
    case cat, dog, rabbit, bear, panda, fox, pig, mouse, lion, tiger, monkey
    case elephant, giraffe, horse, unicorn
    case dinosaur, dragon
    case fish, whale, turtle, octopus, crab
    case bird, owl, penguin, duck
    case butterfly, bee, ladybug, snail, frog
    case car, bus, train, boat, rocket, airplane, hotAirBalloon
    case sun, moon, star, cloud, rainbow
    case tree, flower, mushroom, mountain
    case house, castle, robot
    case cake, iceCream, apple, strawberry
    case child, princess, snowman
    case umbrella, balloons, gift, heart, ball
}

extension Subject {
    /// Slimmer or rounder, as the dice say; how high it is stays.
    func draw(with pen: Pen) {
        let wide = pen.between(0.93, 1.08)
        pen.at(0, 0, scale: wide, stretch: 1 / wide) { drawPlain(with: pen) }
    }

    private func drawPlain(with pen: Pen) {
        switch self {
        case .cat: Critters.cat(pen)
        case .dog: Critters.dog(pen)
        case .rabbit: Critters.rabbit(pen)
        case .bear: Critters.bear(pen)
        case .panda: Critters.panda(pen)
        case .fox: Critters.fox(pen)
        case .pig: Critters.pig(pen)
        case .mouse: Critters.mouse(pen)
        case .lion: Critters.lion(pen)
        case .tiger: Critters.tiger(pen)
        case .monkey: Critters.monkey(pen)
        case .elephant: LargeAnimals.elephant(pen)
        case .giraffe: LargeAnimals.giraffe(pen)
        case .horse: LargeAnimals.horse(pen)
        case .unicorn: LargeAnimals.unicorn(pen)
        case .dinosaur: Fantasy.dinosaur(pen)
        case .dragon: Fantasy.dragon(pen)
        case .fish: SeaAnimals.fish(pen)
        case .whale: SeaAnimals.whale(pen)
        case .turtle: SeaAnimals.turtle(pen)
        case .octopus: SeaAnimals.octopus(pen)
        case .crab: SeaAnimals.crab(pen)
        case .bird: Wings.bird(pen)
        case .owl: Wings.owl(pen)
        case .penguin: Wings.penguin(pen)
        case .duck: Wings.duck(pen)
        case .butterfly: Insects.butterfly(pen)
        case .bee: Insects.bee(pen)
        case .ladybug: Insects.ladybug(pen)
        case .snail: Insects.snail(pen)
        case .frog: Insects.frog(pen)
        case .car: Vehicles.car(pen)
        case .bus: Vehicles.bus(pen)
        case .train: Vehicles.train(pen)
        case .boat: Vehicles.boat(pen)
        case .rocket: Vehicles.rocket(pen)
        case .airplane: Vehicles.airplane(pen)
        case .hotAirBalloon: Vehicles.hotAirBalloon(pen)
        case .sun: Sky.sun(pen)
        case .moon: Sky.moon(pen)
        case .star: Sky.star(pen)
        case .cloud: Sky.cloud(pen)
        case .rainbow: Sky.rainbow(pen)
        case .tree: Nature.tree(pen)
        case .flower: Nature.flower(pen)
        case .mushroom: Nature.mushroom(pen)
        case .mountain: Nature.mountain(pen)
        case .house: Buildings.house(pen)
        case .castle: Buildings.castle(pen)
        case .robot: Buildings.robot(pen)
        case .cake: Treats.cake(pen)
        case .iceCream: Treats.iceCream(pen)
        case .apple: Treats.apple(pen)
        case .strawberry: Treats.fruitStrawberry(pen)
        case .child: People.child(pen)
        case .princess: People.princess(pen)
        case .snowman: People.snowman(pen)
        case .umbrella: Things.umbrella(pen)
        case .balloons: Things.balloons(pen)
        case .gift: Things.gift(pen)
        case .heart: Things.heart(pen)
        case .ball: Things.ball(pen)
        }
    }
}
