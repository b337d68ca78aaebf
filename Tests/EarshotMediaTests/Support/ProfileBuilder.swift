import Foundation

/// A writer of ICC profiles.
enum ProfileBuilder {
    enum Curve {
        case gamma(Double)
        case standard
        case standardTable
    }

    /// Colorants under D50; Source: IEC 61966-2-1 and SMPTE EG 432-1, adapted after Bradford.
    static let standardColorants = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
    static let displayP3Colorants = [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]

    static func profile(_ colorants: [[Double]], _ curve: Curve) -> [UInt8] {
        let colors = zip(["rXYZ", "gXYZ", "bXYZ"], colorants).map { name, color in
            (name, Array("XYZ \0\0\0\0".utf8) + color.flatMap(fixed))
        }
        let curves = ["rTRC", "gTRC", "bTRC"].map { ($0, element(curve)) }
        return profile(space: "RGB ", tags: [("desc", Array("desc\0\0\0\0SECRET".utf8))] + colors + curves)
    }

    static func grey(_ curve: Curve) -> [UInt8] {
        profile(space: "GRAY", tags: [("kTRC", element(curve))])
    }

    static func profile(space: String, tags: [(String, [UInt8])]) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(12..<24, with: Array("mntr\(space)XYZ ".utf8))
        header.replaceSubrange(36..<40, with: Array("acsp".utf8))
        var table = big(tags.count)
        var data: [UInt8] = []
        for (name, element) in tags {
            table += Array(name.utf8) + big(132 + tags.count * 12 + data.count) + big(element.count)
            data += element
        }
        let profile = header + table + data
        return big(profile.count) + profile.dropFirst(4)
    }

    private static func element(_ curve: Curve) -> [UInt8] {
        switch curve {
        case .gamma(let gamma): Array("curv\0\0\0\0".utf8) + big(1) + Array(big(Int(gamma * 256)).suffix(2))
        case .standard:
            Array("para\0\0\0\0".utf8) + [0, 3, 0, 0]
                + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
        case .standardTable:
            Array("curv\0\0\0\0".utf8) + big(1_024)
                + (0..<1_024).flatMap { index -> [UInt8] in
                    let code = Double(index) / 1_023
                    let light = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
                    return Array(big(Int((light * 65_535).rounded())).suffix(2))
                }
        }
    }

    private static func fixed(_ value: Double) -> [UInt8] {
        big(Int((value * 65_536).rounded()))
    }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }
}
