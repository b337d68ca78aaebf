/// The known word that a mistyped word most likely means.
enum Nearest {
    /// The largest number of typing errors.
    private static let errorCount = 2

    /// Returns the nearest word; nil if none is near.
    ///
    /// A short word may have fewer errors, for with two of them it resembles most words of its length.
    static func word(to typed: String, among words: [String]) -> String? {
        let typed = typed.lowercased()
        let limit = min(errorCount, max(1, typed.count / 2))
        let near = words.filter { abs($0.count - typed.count) <= limit }.map { (distance(typed, $0), $0) }
            .filter { $0.0 <= limit }
        return near.min { $0.0 < $1.0 }?.1
    }

    /// Counts the typing errors between two words: missing, additional, wrong and exchanged characters.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (row, character) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                let isSame = character == other
                var best = min(rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (isSame ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
