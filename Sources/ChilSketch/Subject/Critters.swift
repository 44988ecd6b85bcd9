/// The animals that are soft and have a round head.
enum Critters {
    static func cat(_ pen: Pen) {
        Critter(
            ears: .pointed,
            nose: .whiskers,
            tail: .curled,
            coat: pen.pick([.plain, .stripes, .patch, .spots]),
            headWidth: 30,
            headHeight: 23.5,
            mouths: [.cat, .cat, .open]
        ).draw(with: pen)
    }

    static func dog(_ pen: Pen) {
        Critter(
            ears: .floppy,
            nose: .muzzle,
            tail: .short,
            coat: pen.pick([.plain, .patch, .spots]),
            headWidth: 27,
            mouths: [.tongue, .tongue, .open, .smile]
        ).draw(with: pen)
    }

    static func rabbit(_ pen: Pen) {
        Critter(
            ears: .long,
            nose: .button,
            tail: .puff,
            coat: pen.pick([.plain, .plain, .patch]),
            headWidth: 26,
            headHeight: 23,
            mouths: [.cat, .open, .smile]
        ).draw(with: pen)
    }

    static func bear(_ pen: Pen) {
        Critter(ears: .round, nose: .muzzle, tail: .none, headWidth: 29, mouths: [.smile, .small, .open]).draw(
            with: pen
        )
    }

    static func panda(_ pen: Pen) {
        Critter(ears: .round, nose: .button, tail: .none, coat: .mask, headWidth: 31, mouths: [.cat, .smile]).draw(
            with: pen
        )
    }

    static func fox(_ pen: Pen) {
        Critter(
            ears: .tufted,
            nose: .button,
            tail: .bushy,
            coat: .blaze,
            headWidth: 31,
            headHeight: 22,
            mouths: [.smile, .cat, .small]
        ).draw(with: pen)
    }

    static func pig(_ pen: Pen) {
        Critter(
            ears: .folded,
            nose: .snout,
            tail: .corkscrew,
            coat: pen.pick([.plain, .plain, .spots]),
            headWidth: 29,
            mouths: [.smile, .open]
        ).draw(with: pen)
    }

    static func mouse(_ pen: Pen) {
        Critter(ears: .large, nose: .whiskers, tail: .thin, headWidth: 24, headHeight: 20, mouths: [.cat, .small]).draw(
            with: pen
        )
    }

    static func lion(_ pen: Pen) {
        Critter(ears: .round, nose: .muzzle, tail: .tuft, hasMane: true, headWidth: 26, mouths: [.smile, .open]).draw(
            with: pen
        )
    }

    static func tiger(_ pen: Pen) {
        Critter(ears: .round, nose: .muzzle, tail: .curled, coat: .stripes, headWidth: 29, mouths: [.smile, .open])
            .draw(with: pen)
    }

    static func monkey(_ pen: Pen) {
        Critter(
            ears: .side,
            nose: .button,
            tail: .thin,
            coat: .heart,
            headWidth: 25,
            headHeight: 24,
            mouths: [.smile, .open]
        ).draw(with: pen)
    }
}
