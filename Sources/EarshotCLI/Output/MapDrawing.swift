import EarshotRPC
import Foundation

/// The map as a picture: this node in the middle, and the others on rings by their distance in links.
///
/// An SVG file without scripts, with a light and a dark variant. Equal maps are equal bytes.
struct MapDrawing {
    /// The reason why a node or a contact is in the picture.
    private enum Kind: String {
        /// There is a link.
        case link
        /// It is heard, without a link.
        case heard
        /// A path has measured the distance.
        case path
    }

    /// A node or a contact on a ring.
    private struct Spot {
        let kind: Kind
        /// The number of the ring, from 1 on.
        let ring: Int
        let name: String
        /// The distance in time and, if it is more than one, in links.
        let distance: String
        /// The id of the contact, or the name of the node, by which equal names are ordered.
        let id: String
    }

    private let spots: [Spot]
    private let caption: String

    init(_ map: MapReply) {
        let spots = Self.spots(of: map)
        self.spots = spots
        let counts = [Kind.link, .heard, .path].map { kind in spots.count { $0.kind == kind } }
        let unknownCount = map.contacts.count { $0.hops == nil }
        let parts = [
            (counts[1], "node", " heard without a link"), (counts[2], "contact", " farther away"),
            (unknownCount, "contact", " at an unknown distance"),
        ]
        let rest = parts.filter { $0.0 > 0 }.map { ", \(Self.count($0.0, $0.1))\($0.2)" }
        caption = Self.count(counts[0], "link") + rest.joined() + "."
    }

    /// The lines of the file.
    var lines: [String] {
        let rings = Dictionary(grouping: spots, by: \.ring)
        let radii = Self.radii(of: rings)
        let middle = (radii.last ?? 0) + Self.margin
        let width = max(2 * middle, Self.leastWidth)
        let centre = (x: width / 2, y: middle)
        var paths: [String] = []
        var signs = [Self.circle("own", centre, 14), Self.text("You", (centre.x, centre.y + 32))]
        for (ring, spots) in rings.sorted(by: { $0.key < $1.key }) {
            for (place, spot) in spots.enumerated() {
                let turns = (Double(place) + Double(ring - 1) / 2) / Double(spots.count) - 0.25
                let (x, y) = (cos(turns * 2 * .pi), sin(turns * 2 * .pi))
                let point = (centre.x + radii[ring] * x, centre.y + radii[ring] * y)
                let start = (centre.x + 14 * x, centre.y + 14 * y)
                paths.append("<path class=\"\(spot.kind)\" d=\"M\(Self.pair(start))L\(Self.pair(point))\"/>")
                signs.append(Self.circle(spot.kind.rawValue, point, 9))
                // The words stand on the side where no line is.
                let below = y < 0 ? [-34.0, -17.0] : [25.0, 42.0]
                signs.append(Self.text(spot.name, (point.0, point.1 + below[0])))
                if !spot.distance.isEmpty {
                    signs.append(Self.text(spot.distance, (point.0, point.1 + below[1]), class: "small"))
                }
            }
        }
        let size = Self.pair((width, 2 * middle))
        return [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" role=\"img\">",
            "<title>The mesh as this node knows it</title>", "<desc>\(Self.escaped(caption))</desc>", Self.style,
            "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
        ] + paths + signs + [Self.text(caption, (centre.x, 2 * middle - 12), class: "small"), "</svg>"]
    }

    // MARK: - Spots

    private static func spots(of map: MapReply) -> [Spot] {
        let names = Dictionary(map.contacts.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var known: Set<String> = [map.node]
        var spots: [Spot] = []
        func add(_ kind: Kind, _ node: String, _ peer: String?, _ seconds: Double?) {
            // A node is heard at each of its addresses, and may have a link on each interface.
            guard known.insert(node).inserted else { return }
            if let peer { known.insert(peer) }
            let name = peer.flatMap { names[$0] } ?? String(node.prefix(8))
            let distance = seconds.map(TimeText.roundTrip) ?? ""
            spots.append(Spot(kind: kind, ring: 1, name: name, distance: distance, id: peer ?? node))
        }
        for link in map.links { add(.link, link.node, link.peer, link.rtt) }
        for node in map.neighbours where !node.linked { add(.heard, node.node, node.peer, nil) }
        for contact in map.contacts {
            guard let hops = contact.hops, known.insert(contact.id).inserted else { continue }
            let distances = [hops == 1 ? nil : "\(hops) hops", contact.rtt.map(TimeText.roundTrip)].compactMap(\.self)
            spots.append(
                Spot(
                    kind: .path,
                    ring: min(max(1, hops), lastRing),
                    name: contact.name,
                    distance: distances.joined(separator: ", "),
                    id: contact.id
                )
            )
        }
        return spots.sorted { ($0.ring, $0.name, $0.id) < ($1.ring, $1.name, $1.id) }
    }

    private static func radii(of rings: [Int: [Spot]]) -> [Double] {
        (0...(rings.keys.max() ?? 0)).reduce(into: []) { radii, ring in
            guard let inner = radii.last else { return radii.append(0) }
            radii.append(max(inner + ringWidth, Double(rings[ring]?.count ?? 0) * spotWidth / (2 * .pi)))
        }
    }

    private static func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

    // MARK: - Elements

    private static func circle(_ name: String, _ centre: (Double, Double), _ radius: Int) -> String {
        let (x, y) = (number(centre.0), number(centre.1))
        return "<circle class=\"\(name)\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"/>"
    }

    private static func text(_ text: String, _ place: (Double, Double), class name: String = "name") -> String {
        let (x, y) = (number(place.0), number(place.1))
        return "<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(escaped(text))</text>"
    }

    private static func pair(_ place: (Double, Double)) -> String { "\(number(place.0)) \(number(place.1))" }

    /// Whole numbers are the same on every machine.
    private static func number(_ value: Double) -> Int { Int(value.rounded()) }

    /// Escapes a text for use between tags.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in DisplayText.safe(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // XML does not allow these.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let style = """
        <style>
        text{font:15px system-ui,sans-serif;text-anchor:middle;fill:#1a1d21}.small{font-size:13px;fill:#4d545e}
        .ground,.heard{fill:#fff}path,.heard{stroke:#5f6772;stroke-width:1.5}.heard,.path{stroke-dasharray:5 4}
        .own{fill:#c2410c}.link{fill:#277f8e}circle.path{fill:#46327e}
        @media(prefers-color-scheme:dark){text{fill:#eceff4}.small{fill:#b4bcc8}.ground,.heard{fill:#14171c}
        path,.heard{stroke:#8f98a5}.own{fill:#ff9d5c}.link{fill:#4ac16d}circle.path{fill:#a0da39}}
        </style>
        """

    /// The largest distance that has a ring of its own; everything farther is on it too.
    private static let lastRing = 6
    // Units: the picture's own coordinates.
    private static let margin = 110.0
    /// The width that the caption needs.
    private static let leastWidth = 760.0
    private static let ringWidth = 130.0
    private static let spotWidth = 120.0
}
