import EarshotMedia

/// QR codes for terminals: each character shows two modules, one above the other.
enum QRText {
    /// Makes the lines of a text's code with its quiet zone; none if the text is too long for a code.
    ///
    /// Light modules are drawn and dark ones left out, which is right on a dark terminal. With colours it is right on
    /// all.
    static func lines(_ text: String, coloured: Bool) -> [String] {
        guard let code = QRCode(text) else { return [] }
        let places = -QRCode.quietZone..<code.edge + QRCode.quietZone
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            let blocks = places.map { column in
                let isLowerDark = row + 1 == places.upperBound || code[column, row + 1]
                return block(upperIsDark: code[column, row], lowerIsDark: isLowerDark)
            }
            return coloured ? "\u{1B}[97;40m\(String(blocks))\u{1B}[0m" : String(blocks)
        }
    }

    private static func block(upperIsDark: Bool, lowerIsDark: Bool) -> Character {
        switch (upperIsDark, lowerIsDark) {
        case (true, true): " "
        case (true, false): "▄"
        case (false, true): "▀"
        case (false, false): "█"
        }
    }
}
