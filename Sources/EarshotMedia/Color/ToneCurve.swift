import Bytes
import Foundation

/// A curve from code to light, both 0 to 1.
///
/// Source: ICC.1:2022, 10.6 curveType and 10.18 parametricCurveType.
enum ToneCurve {
    /// Equally spaced values, at least two.
    case table([UInt16])
    /// (a x + b)^g + e from d on, and c x + f below d.
    case parametric(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

    /// The number of parameters of each function type.
    private static let parameterCounts = [1, 3, 4, 5, 7]

    /// Reads the element of a tag.
    init?(_ element: ArraySlice<UInt8>) {
        var reader = ByteReader(element)
        guard let kind = reader.take(4), reader.skip(4) else { return nil }
        if kind.begins(with: "curv") {
            self.init(curve: &reader)
        } else if kind.begins(with: "para") {
            self.init(parametric: &reader)
        } else {
            return nil
        }
    }

    private init?(curve reader: inout ByteReader) {
        guard let count = reader.integer(UInt32.self), Int(count) * 2 <= reader.remainingCount else { return nil }
        let values = (0..<count).compactMap { _ in reader.integer(UInt16.self) }
        switch values.count {
        case 0: self = .gamma(1)
        case 1: self = .gamma(Double(values[0]) / 256)
        default: self = .table(values)
        }
    }

    private init?(parametric reader: inout ByteReader) {
        guard let type = reader.integer(UInt16.self), type < Self.parameterCounts.count, reader.skip(2) else {
            return nil
        }
        let p = (0..<Self.parameterCounts[Int(type)]).compactMap { _ in
            reader.integer(Int32.self).map { Double($0) / 65_536 }
        }
        guard p.count == Self.parameterCounts[Int(type)] else { return nil }
        switch type {
        case 0: self = .gamma(p[0])
        case 1: self = .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: Self.start(p[1], p[2]), e: 0, f: 0)
        case 2: self = .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: Self.start(p[1], p[2]), e: p[3], f: p[3])
        case 3: self = .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
        default: self = .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
        }
    }

    private static func gamma(_ g: Double) -> ToneCurve {
        .parametric(g: g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
    }

    private static func start(_ a: Double, _ b: Double) -> Double { a == 0 ? 0 : -b / a }

    /// Returns the light of a code; a result out of range becomes the nearest end, and one that is no number becomes 0.
    func light(_ code: Double) -> Double {
        let value =
            switch self {
            case .table(let values): Self.look(up: code, in: values)
            case .parametric(let g, let a, let b, let c, let d, let e, let f):
                code >= d ? pow(max(0, a * code + b), g) + e : c * code + f
            }
        return value.isNaN ? 0 : min(max(value, 0), 1)
    }

    private static func look(up code: Double, in values: [UInt16]) -> Double {
        let place = code * Double(values.count - 1)
        let lower = Int(place)
        let upper = min(lower + 1, values.count - 1)
        let part = place - Double(lower)
        return (Double(values[lower]) * (1 - part) + Double(values[upper]) * part) / 65_535
    }
}
