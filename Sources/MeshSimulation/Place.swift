import Foundation

/// A point in a plane: x to the right, y downwards, in units of the shape to which it belongs.
public struct Place: Sendable, Equatable {
    /// The distance to the right.
    public var x: Double
    /// The distance downwards.
    public var y: Double

    /// Creates a point from its coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Returns the point at this distance, in a direction given in turns: 0 is to the right, 0.25 is down.
    func moved(by distance: Double, turns: Double) -> Place {
        let angle = turns * 2 * Double.pi
        return Place(x: x + distance * cos(angle), y: y + distance * sin(angle))
    }

    static let origin = Place(x: 0, y: 0)
}

extension [Place] {
    /// Returns a chain that turns back at the end of each row.
    ///
    /// It is about as high as it is wide, so that a long chain is still legible.
    static func chain(_ count: Int) -> [Place] {
        let width = count <= 20 ? Swift.max(1, count) : Int(Double(count).squareRoot().rounded(.up))
        return (0..<count).map { host in
            let (row, column) = host.quotientAndRemainder(dividingBy: width)
            return Place(x: Double(row % 2 == 0 ? column : width - 1 - column), y: Double(row))
        }
    }

    /// Returns rows of `width` points.
    static func rows(_ count: Int, width: Int) -> [Place] {
        (0..<count).map { Place(x: Double($0 % width), y: Double($0 / width)) }
    }

    /// Returns a circle with about one unit between neighbours.
    ///
    /// The last point is in the direction given in turns.
    static func circle(_ count: Int, lastAt turns: Double = 0) -> [Place] {
        let radius = Double(count) / (2 * Double.pi)
        return (0..<count).map { host in
            Place.origin.moved(by: radius, turns: turns + Double(host + 1) / Double(Swift.max(1, count)))
        }
    }

    /// Returns an evenly filled disc with about one unit between neighbours, like the seeds of a sunflower; a circle if
    /// there are few points.
    ///
    /// The last point is at the edge, in the direction given in turns.
    static func disc(_ count: Int, lastAt turns: Double = 0) -> [Place] {
        guard count > 40 else { return circle(count, lastAt: turns) }
        let goldenTurn = (3 - 5.0.squareRoot()) / 2
        return (0..<count).map { host in
            let distance = (Double(host) + 0.5).squareRoot() * 0.56
            return Place.origin.moved(by: distance, turns: turns + Double(host + 1 - count) * goldenTurn)
        }
    }

    /// The smallest and the largest coordinates; the origin twice if there are no points.
    var bounds: (least: Place, greatest: Place) {
        guard let first else { return (.origin, .origin) }
        return dropFirst().reduce(into: (first, first)) { bounds, place in
            bounds.0 = Place(x: Swift.min(bounds.0.x, place.x), y: Swift.min(bounds.0.y, place.y))
            bounds.1 = Place(x: Swift.max(bounds.1.x, place.x), y: Swift.max(bounds.1.y, place.y))
        }
    }

    /// Returns these points with the others to the right of them at the same height.
    ///
    /// The gap is a fraction of the sum of both widths.
    func beside(_ others: [Place], gap: Double) -> [Place] {
        let (left, right) = (bounds, others.bounds)
        let widths = left.greatest.x - left.least.x + right.greatest.x - right.least.x
        let x = left.greatest.x - right.least.x + Swift.max(1e-3, widths) * gap
        let y = (left.least.y + left.greatest.y - right.least.y - right.greatest.y) / 2
        return self + others.map { Place(x: $0.x + x, y: $0.y + y) }
    }
}
