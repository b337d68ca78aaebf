#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks colour profiles with changed bytes: whatever they say, colours stay colours and alpha stays alpha.
func fuzzProfile(_ input: [UInt8]) {
    var choices = Choices(input)
    guard let profile = try? ColorProfile.other(in: choices.candidate(like: examples)) else { return }
    var bitmap = slopes
    bitmap.convert(from: profile)
    precondition(zip(bitmap.pixels, slopes.pixels).allSatisfy { $0 >> 24 == $1 >> 24 })
}

private let examples: [[UInt8]] = {
    let colors = ["rXYZ", "gXYZ", "bXYZ"].enumerated().map { index, name -> (String, [UInt8]) in
        var numbers = [UInt8](repeating: 0, count: 12)
        numbers[index * 4 + 2] = 0x80
        return (name, Array("XYZ \0\0\0\0".utf8) + numbers)
    }
    let table: [UInt8] = Array("curv\0\0\0\0".utf8) + [0, 0, 0, 3, 0, 0, 0x40, 0, 0xFF, 0xFF]
    let power: [UInt8] = Array("para\0\0\0\0".utf8) + [0, 4, 0, 0] + [UInt8](repeating: 1, count: 28)
    return [
        profile("RGB ", colors + ["rTRC", "gTRC", "bTRC"].map { ($0, table) }),
        profile("RGB ", colors + ["rTRC", "gTRC", "bTRC"].map { ($0, power) }),
        profile("GRAY", [("kTRC", power)]),
    ]
}()

private func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: Array((space + "XYZ ").utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    var (table, data): ([UInt8], [UInt8]) = ([0, 0, 0, UInt8(tags.count)], [])
    for (name, element) in tags {
        let place = 132 + tags.count * 12 + data.count
        table += Array(name.utf8) + [0, 0, UInt8(place >> 8), UInt8(place & 0xFF), 0, 0, 0, UInt8(element.count)]
        data += element
    }
    return header + table + data
}
