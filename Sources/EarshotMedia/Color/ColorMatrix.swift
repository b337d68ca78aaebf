/// A three-by-three matrix that converts colours of one space into another.
struct ColorMatrix {
    /// The columns: the result of one unit of each source colour.
    let columns: [SIMD3<Double>]

    /// The matrix from the connection space of profiles (XYZ under D50) to the linear light of sRGB.
    ///
    /// Source: the inverse of the colorants of IEC 61966-2-1, adapted to D50 after Bradford.
    static let standardFromConnection = ColorMatrix(columns: [
        SIMD3(3.133_856_1, -0.978_768_4, 0.071_945_3),
        SIMD3(-1.616_866_7, 1.916_141_5, -0.228_991_4),
        SIMD3(-0.490_614_6, 0.033_454_0, 1.405_242_7),
    ])

    /// The columns in the precision of pixels.
    var floatColumns: [SIMD3<Float>] { columns.map { SIMD3<Float>($0) } }

    /// Multiplies this matrix with `other`, which is applied first.
    func times(_ other: ColorMatrix) -> ColorMatrix {
        ColorMatrix(columns: other.columns.map { columns[0] * $0.x + columns[1] * $0.y + columns[2] * $0.z })
    }

    /// Whether it changes no colour by more than `tolerance`.
    func isIdentity(within tolerance: Double) -> Bool {
        let unit = [SIMD3(1.0, 0, 0), SIMD3(0, 1.0, 0), SIMD3(0, 0, 1.0)]
        return zip(columns, unit).allSatisfy { column, expected in
            let distance = column - expected
            return max(abs(distance.x), abs(distance.y), abs(distance.z)) <= tolerance
        }
    }
}
