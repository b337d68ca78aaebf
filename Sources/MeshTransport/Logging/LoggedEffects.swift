import MeshCore

/// The effects of one event as the log shows them: the number of each kind, in the order of first occurrence.
struct LoggedEffects: CustomStringConvertible, Sendable {
    private let counts: [(name: String, count: Int)]

    init(_ effects: [MeshEffect]) {
        var counts: [(name: String, count: Int)] = []
        for effect in effects {
            let name = Self.name(effect)
            if let index = counts.firstIndex(where: { $0.name == name }) {
                counts[index].count += 1
            } else {
                counts.append((name, 1))
            }
        }
        self.counts = counts
    }

    var description: String {
        counts.map { $0.count == 1 ? $0.name : "\($0.count) x \($0.name)" }.joined(separator: ", ")
    }

    private static func name(_ effect: MeshEffect) -> String {
        switch effect {
        case .send: "send"
        case .multicast: "multicast"
        case .deliver: "deliver"
        case .far: "far"
        case .transmitted: "transmitted"
        case .carried: "carried"
        case .linkUp: "link up"
        case .linkDown(_, _, let reason): "link down (\(reason))"
        case .storeChanged: "store changed"
        case .pathMessage: "path message"
        case .pathLost: "path lost"
        case .pathRefused: "path refused"
        case .pathReady: "path ready"
        case .dropped(let reason): "dropped (\(reason))"
        }
    }
}
