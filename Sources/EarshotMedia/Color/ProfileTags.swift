import Bytes

/// The tag table of an ICC profile.
///
/// Source: ICC.1:2022, 7.3.
struct ProfileTags {
    private let elements: [String: ArraySlice<UInt8>]

    /// The largest number of tags; real profiles have about twenty.
    private static let countLimit = 200

    /// Reads the table; nil if it does not lie within the profile.
    init?(_ profile: [UInt8]) {
        var reader = ByteReader(profile.dropFirst(128))
        guard let count = reader.integer(UInt32.self), count <= Self.countLimit else { return nil }
        var elements: [String: ArraySlice<UInt8>] = [:]
        for _ in 0..<count {
            guard let name = reader.take(4), let offset = reader.integer(UInt32.self),
                let size = reader.integer(UInt32.self),
                let element = Self.element(of: profile, offset: Int(offset), size: Int(size))
            else { return nil }
            elements[String(decoding: name, as: UTF8.self)] = element
        }
        self.elements = elements
    }

    private static func element(of profile: [UInt8], offset: Int, size: Int) -> ArraySlice<UInt8>? {
        var reader = ByteReader(profile)
        return reader.skip(offset) ? reader.take(size) : nil
    }

    /// Reads the tone curve with this name.
    func curve(_ name: String) -> ToneCurve? { elements[name].flatMap { ToneCurve($0) } }

    /// Reads the colour in XYZ with this name.
    func color(_ name: String) -> SIMD3<Double>? {
        guard let element = elements[name], element.begins(with: "XYZ ") else { return nil }
        var reader = ByteReader(element.dropFirst(8))
        guard let x = reader.integer(Int32.self), let y = reader.integer(Int32.self), let z = reader.integer(Int32.self)
        else {
            return nil
        }
        return SIMD3(Double(x), Double(y), Double(z)) / 65_536
    }
}
