import Foundation

/// A point of a plane: x to the right, y downwards, in units of the shape it belongs to.
public struct Place: Sendable, Equatable {
    /// How far to the right.
    public var x: Double
    /// How far down.
    public var y: Double

    /// Makes a place from its coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The place that is so far from another, in a direction given in turns: 0 is to the right, 0.25 down.
    func moved(by distance: Double, turns: Double) -> Place {
        let angle = turns * 2 * Double.pi
        return Place(x: x + distance * cos(angle), y: y + distance * sin(angle))
    }

    static let origin = Place(x: 0, y: 0)
}

extension [Place] {
    /// A chain that turns back at the end of each row, about as high as wide, so that a long one is still legible.
    static func chain(_ count: Int) -> [Place] {
        let width = count <= 20 ? Swift.max(1, count) : Int(Double(count).squareRoot().rounded(.up))
        return (0..<count).map { host in
            let (row, column) = host.quotientAndRemainder(dividingBy: width)
            return Place(x: Double(row % 2 == 0 ? column : width - 1 - column), y: Double(row))
        }
    }

    /// Rows of `width`.
    static func rows(_ count: Int, width: Int) -> [Place] {
        (0..<count).map { Place(x: Double($0 % width), y: Double($0 / width)) }
    }

    /// A circle of about one unit between neighbours; the last stands in the direction given in turns.
    static func circle(_ count: Int, lastAt turns: Double = 0) -> [Place] {
        let radius = Double(count) / (2 * Double.pi)
        return (0..<count).map { host in
            Place.origin.moved(by: radius, turns: turns + Double(host + 1) / Double(Swift.max(1, count)))
        }
    }

    /// A disc filled evenly, about one unit between neighbours, as the seeds of a sunflower; a circle if they are few.
    ///
    /// The last stands at the edge, in the direction given in turns.
    static func disc(_ count: Int, lastAt turns: Double = 0) -> [Place] {
        guard count > 40 else { return circle(count, lastAt: turns) }
        let goldenTurn = (3 - 5.0.squareRoot()) / 2
        return (0..<count).map { host in
            let distance = (Double(host) + 0.5).squareRoot() * 0.56
            return Place.origin.moved(by: distance, turns: turns + Double(host + 1 - count) * goldenTurn)
        }
    }

    /// The least and the greatest coordinates; the origin twice if there are none.
    var bounds: (least: Place, greatest: Place) {
        guard let first else { return (.origin, .origin) }
        return dropFirst().reduce(into: (first, first)) { bounds, place in
            bounds.0 = Place(x: Swift.min(bounds.0.x, place.x), y: Swift.min(bounds.0.y, place.y))
            bounds.1 = Place(x: Swift.max(bounds.1.x, place.x), y: Swift.max(bounds.1.y, place.y))
        }
    }

    /// These, and the others to the right of them at the same height, with a gap of a share of the widths between.
    func beside(_ others: [Place], gap: Double) -> [Place] {
        let (left, right) = (bounds, others.bounds)
        let widths = left.greatest.x - left.least.x + right.greatest.x - right.least.x
        let x = left.greatest.x - right.least.x + Swift.max(1e-3, widths) * gap
        let y = (left.least.y + left.greatest.y - right.least.y - right.greatest.y) / 2
        return self + others.map { Place(x: $0.x + x, y: $0.y + y) }
    }
}
