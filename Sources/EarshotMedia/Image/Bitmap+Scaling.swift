extension Bitmap {
    /// Scales the bitmap to a longest edge of at most `edge`; each new pixel is the mean of the light on its area.
    func fitting(longestEdge edge: Int) -> Bitmap {
        let longest = max(width, height)
        guard longest > edge else { return self }
        func scaled(_ count: Int) -> Int { max(1, (count * edge + longest / 2) / longest) }
        var result = Bitmap(width: scaled(width), height: scaled(height))
        var row = LightRow(count: result.width)
        var following = LightRow(count: result.width)
        var written = 0
        for y in 0..<height {
            let share = AreaShare(of: y, among: height, in: result.height)
            if share.place > written {
                row.write(to: &result, row: written)
                (row, written) = (following, share.place)
                following = LightRow(count: result.width)
            }
            let light = lightRow(y, count: result.width)
            row.add(light, weight: share.part)
            if share.part < 1 { following.add(light, weight: 1 - share.part) }
        }
        row.write(to: &result, row: written)
        return result
    }

    /// Adds up one row of the source in the columns of the result.
    private func lightRow(_ y: Int, count: Int) -> LightRow {
        var row = LightRow(count: count)
        for x in 0..<width {
            let share = AreaShare(of: x, among: width, in: count)
            row.add(pixels[y * width + x], at: share.place, weight: share.part)
            if share.part < 1 { row.add(pixels[y * width + x], at: share.place + 1, weight: 1 - share.part) }
        }
        return row
    }
}

/// The share of one of many source pixels among fewer new ones: it falls on one of them, or on one and the next.
private struct AreaShare {
    let place: Int
    /// The part that falls on `place`, of 1; the rest falls on the next.
    let part: Float

    init(of index: Int, among sourceCount: Int, in count: Int) {
        place = index * count / sourceCount
        let end = min((index + 1) * count, (place + 1) * sourceCount)
        part = Float(end - index * count) / Float(count)
    }
}

/// The sums of light for one row of new pixels, with the colours multiplied by alpha.
private struct LightRow {
    private var sums: [SIMD4<Float>]
    private var weights: [Float]

    init(count: Int) {
        sums = [SIMD4<Float>](repeating: .zero, count: count)
        weights = [Float](repeating: 0, count: count)
    }

    mutating func add(_ pixel: UInt32, at place: Int, weight: Float) {
        let alpha = Float(pixel >> 24) / 255
        let color = SIMD4(
            Tone.light[Int(pixel & 0xFF)],
            Tone.light[Int(pixel >> 8 & 0xFF)],
            Tone.light[Int(pixel >> 16 & 0xFF)],
            1
        )
        sums[place] += color * (alpha * weight)
        weights[place] += weight
    }

    mutating func add(_ other: LightRow, weight: Float) {
        for place in sums.indices {
            sums[place] += other.sums[place] * weight
            weights[place] += other.weights[place] * weight
        }
    }

    func write(to bitmap: inout Bitmap, row: Int) {
        for place in sums.indices where sums[place].w > 0 && weights[place] > 0 {
            let color = sums[place] / sums[place].w
            let alpha = UInt32((sums[place].w / weights[place] * 255).rounded())
            bitmap.pixels[row * bitmap.width + place] =
                UInt32(Tone.code(color.x)) | UInt32(Tone.code(color.y)) << 8 | UInt32(Tone.code(color.z)) << 16
                | min(alpha, 255) << 24
        }
    }
}
