/// A watched descriptor: its place in the loop's table and the generation of that place.
package struct Registration: Sendable {
    let token: UInt64
    let descriptor: Int32
}

/// The loop's handlers by place. A place is reused with a new generation, so an event that is still in the kernel's list when
/// its descriptor is forgotten finds nobody.
struct RegistrationTable {
    private struct Place {
        var handler: (any ReadinessHandler)?
        var generation: UInt32
    }

    private var places: [Place] = []
    private var free: [Int] = []

    mutating func add(_ handler: any ReadinessHandler, _ descriptor: Int32) -> Registration {
        let index: Int
        if let reused = free.popLast() {
            index = reused
            places[index].handler = handler
        } else {
            index = places.count
            places.append(Place(handler: handler, generation: 0))
        }
        return Registration(
            token: UInt64(places[index].generation) << 32 | UInt64(index),
            descriptor: descriptor
        )
    }

    mutating func remove(_ registration: Registration) {
        let index = Int(registration.token & 0xffff_ffff)
        guard places[index].generation == UInt32(registration.token >> 32) else { return }
        places[index].handler = nil
        places[index].generation = (places[index].generation &+ 1) & 0x7fff_ffff
        free.append(index)
    }

    func handler(_ token: UInt64) -> (any ReadinessHandler)? {
        let index = Int(token & 0xffff_ffff)
        guard index < places.count, places[index].generation == UInt32(token >> 32) else { return nil }
        return places[index].handler
    }
}
