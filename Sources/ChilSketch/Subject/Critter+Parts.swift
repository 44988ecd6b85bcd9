extension Critter {
    func drawEars(with pen: Pen) {
        let (wide, high) = (headWidth, headHeight)
        switch ears {
        case .pointed, .tufted:
            let tall = ears == .tufted ? 1.75 : 1.55
            pen.both {
                pen.shape(
                    .blob([
                        .p(wide * 0.22, -high * 0.85), .p(wide * 0.5, -high * 1.3), .c(wide * 0.84, -high * tall),
                        .p(wide * 0.98, -high * 0.95), .p(wide * 0.94, -high * 0.2), .p(wide * 0.4, -high * 0.3),
                    ])
                )
                pen.stroke(
                    .curve([
                        .p(wide * 0.5, -high * 0.98), .c(wide * 0.76, -high * (tall - 0.28)),
                        .p(wide * 0.83, -high * 0.72),
                    ]),
                    line: 0.7
                )
            }
        case .round:
            pen.both {
                pen.shape(.circle(wide * 0.72, -high * 0.8, high * 0.44))
                pen.shape(.circle(wide * 0.72, -high * 0.8, high * 0.22), line: 0.7)
            }
        case .large:
            pen.both {
                pen.shape(.circle(wide * 0.9, -high * 0.86, high * 0.68))
                pen.shape(.circle(wide * 0.9, -high * 0.86, high * 0.4), line: 0.7)
            }
        case .side:
            pen.both {
                pen.shape(.circle(wide * 1.06, -high * 0.02, high * 0.42))
                pen.shape(.circle(wide * 1.06, -high * 0.02, high * 0.22), line: 0.7)
            }
        case .long:
            let bent = pen.chance(0.35)
            pen.both {
                pen.at(wide * 0.36, -high * 0.72, turn: 9) {
                    pen.shape(.blob([.p(-8, 0), .p(-9, -24), .p(0, -44), .p(9, -24), .p(8, 0)]))
                    pen.shape(.blob([.p(-3.6, -6), .p(-4.4, -23), .p(0, -35), .p(4.4, -23), .p(3.6, -6)]), line: 0.7)
                }
            }
            if bent {
                pen.at(wide * 0.36, -high * 0.72, turn: 9) {
                    pen.shape(.blob([.p(-5, -33), .p(2, -45), .p(18, -36), .p(23, -20), .p(14, -21), .p(5, -30)]))
                }
            }
        case .folded:
            pen.both {
                pen.shape(
                    .blob([
                        .p(wide * 0.3, -high * 0.9), .p(wide * 0.62, -high * 1.22), .p(wide, -high * 1.12),
                        .c(wide * 1.08, -high * 0.5), .p(wide * 0.8, -high * 0.62),
                    ])
                )
            }
        case .floppy:
            pen.both {
                pen.shape(
                    .blob([
                        .p(wide * 0.42, -high * 0.9), .p(wide * 0.86, -high * 0.92), .p(wide * 1.24, -high * 0.3),
                        .p(wide * 1.22, high * 0.5), .p(wide * 0.98, high * 0.62), .p(wide * 0.8, high * 0.1),
                    ])
                )
            }
        }
    }

    func drawHeadCoat(with pen: Pen) {
        let (wide, high) = (headWidth, headHeight)
        switch coat {
        case .stripes:
            for x in [-6.0, 0, 6] {
                pen.shape(
                    .blob([
                        .c(x - 2.2, -high * 1.1), .c(x + 2.2, -high * 1.1), .c(x * 0.8, -high * (x == 0 ? 0.45 : 0.58)),
                    ]),
                    line: 0.6
                )
            }
            pen.both {
                pen.shape(
                    .blob([.c(wide * 1.1, -high * 0.1), .c(wide * 1.1, high * 0.12), .c(wide * 0.76, high * 0.04)]),
                    line: 0.6
                )
            }
        case .patch:
            pen.shape(.ellipse(wide * 0.46, -high * 0.04, wide * 0.34, high * 0.42, turn: 12), line: 0.7)
        case .spots:
            pen.shape(.circle(-wide * 0.62, -high * 0.7, high * 0.24), line: 0.7)
            pen.shape(.circle(wide * 0.2, -high * 0.86, high * 0.2), line: 0.7)
        case .mask:
            pen.both { pen.shape(.ellipse(wide * 0.46, high * 0.02, wide * 0.27, high * 0.36, turn: 28), line: 0.8) }
        case .blaze:
            pen.both {
                pen.stroke(
                    .curve([
                        .c(0, -high * 0.5), .p(wide * 0.2, high * 0.22), .p(wide * 0.62, high * 0.28),
                        .p(wide * 1.05, high * 0.1),
                    ]),
                    line: 0.7
                )
            }
        case .heart:
            pen.merged {
                pen.both { pen.shape(.ellipse(wide * 0.36, -high * 0.08, wide * 0.36, high * 0.44)) }
                pen.shape(.ellipse(0, high * 0.42, wide * 0.58, high * 0.46))
            }
        case .plain: break
        }
    }

    func drawCoat(with pen: Pen, width: Double, top: Double, bottom: Double) {
        guard pen.level != .easy else { return }
        switch coat {
        case .stripes:
            for step in 0..<3 {
                let y = top + (bottom - top) * (0.2 + 0.27 * Double(step))
                pen.both {
                    pen.shape(
                        .blob([.c(width * 1.15, y - 3), .c(width * 1.15, y + 3.5), .c(width * 0.52, y + 1)]),
                        line: 0.6
                    )
                }
            }
        case .spots, .patch:
            let spots = [(-0.55, 0.3, 5.0), (0.5, 0.22, 6.5), (0.72, 0.7, 5.5), (-0.72, 0.75, 6.0), (0.05, 0.12, 4.0)]
            for (x, y, radius) in spots.prefix(pen.level == .detailed ? 5 : 3) {
                pen.shape(.ellipse(width * x, top + (bottom - top) * y, radius * 1.1, radius), line: 0.7)
            }
        case .plain, .mask, .blaze, .heart: break
        }
    }

    func drawTail(with pen: Pen, x: Double, y: Double) {
        switch tail {
        case .curled:
            if pen.chance(0.5) {
                pen.tube(.curve([.p(x - 4, y), .p(x + 14, y - 2), .p(x + 18, y - 20), .p(x + 10, y - 32)]), width: 8)
            } else {
                pen.tube(
                    .curve([
                        .p(x - 4, y + 2), .p(x + 14, y + 2), .p(x + 20, y - 10), .p(x + 24, y - 24), .p(x + 34, y - 26),
                    ]),
                    width: 8
                )
            }
        case .bushy:
            let tail = Path.blob([
                .p(x - 6, y + 6), .p(x + 16, y + 6), .p(x + 30, y - 12), .c(x + 26, y - 40), .p(x + 12, y - 22),
                .p(x, y - 10),
            ])
            pen.shape(tail) {
                pen.stroke(
                    .curve([
                        .p(x + 12, y - 26), .c(x + 18, y - 18), .c(x + 22, y - 22), .c(x + 26, y - 15),
                        .p(x + 36, y - 18),
                    ]),
                    line: 0.7
                )
            }
        case .puff:
            pen.shape(
                .blob(
                    (0..<14).map { index in
                        let out = Point.polar(Double(index) * 360 / 14, index % 2 == 0 ? 9.5 : 7.5)
                        return index % 2 == 0 ? .p(x + 6 + out.x, y + 2 + out.y) : .c(x + 6 + out.x, y + 2 + out.y)
                    }
                )
            )
        case .corkscrew:
            pen.stroke(
                .curve([
                    .p(x - 3, y - 2), .p(x + 8, y - 2), .p(x + 12, y - 9), .p(x + 6, y - 12), .p(x + 4, y - 6),
                    .p(x + 12, y - 3), .p(x + 18, y - 8),
                ])
            )
        case .tuft:
            pen.tube(.curve([.p(x - 4, y), .p(x + 14, y + 2), .p(x + 20, y - 14), .p(x + 22, y - 24)]), width: 5)
            pen.shape(
                .blob([
                    .p(x + 17, y - 22), .p(x + 16, y - 32), .c(x + 24, y - 42), .p(x + 30, y - 31), .p(x + 27, y - 22),
                ])
            )
        case .thin:
            pen.tube(
                .curve([.p(x - 4, y + 2), .p(x + 12, y + 4), .p(x + 20, y - 8), .p(x + 12, y - 20), .p(x + 20, y - 32)]
                ),
                width: 4
            )
        case .short:
            pen.tube(.curve([.p(x - 4, y), .p(x + 6, y - 4), .p(x + 12, y - 12)]), width: 8)
        case .none: break
        }
    }
}
