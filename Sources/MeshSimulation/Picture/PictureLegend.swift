/// The legend of a picture: the meaning of the colours and signs that occur in it.
struct PictureLegend {
    private let scale: PictureScale
    private let signs: [Sign]

    private struct Sign {
        let element: (Place) -> String
        let text: String
    }

    init(_ marks: [MeshPicture.Mark], _ scale: PictureScale, hasLateLinks: Bool) {
        self.scale = scale
        var signs: [Sign] = []
        if marks.contains(.origin) {
            signs.append(Sign(element: { PictureSign.star(at: $0, size: 10) }, text: "wrote the message"))
        }
        let spammers = marks.count { $0 == .spammer }
        if spammers > 0 {
            signs.append(Sign(element: { PictureSign.diamond(at: $0, size: 9) }, text: "sends spam"))
        }
        for (mark, name, meaning) in [
            (MeshPicture.Mark.missed, "missed", "never got it"), (.off, "off", "switched off"),
        ] {
            let count = marks.count { $0 == mark }
            guard count > 0 else { continue }
            signs.append(
                Sign(element: { Self.square(name, at: $0) }, text: "\(meaning): \(PictureText.grouped(count))")
            )
        }
        if hasLateLinks { signs.append(Sign(element: Self.lateLink, text: "link made later")) }
        self.signs = signs
    }

    /// The height of the legend.
    ///
    /// Units: the picture's own coordinates.
    var height: Double { (scale.bounds.isEmpty ? 0 : 76) + (signs.isEmpty ? 0 : 34) }

    /// The legend in words.
    var description: String {
        var parts: [String] = []
        if let first = scale.bounds.first, let last = scale.bounds.last {
            let range = "\(PictureText.milliseconds(first)) to \(PictureText.milliseconds(last)) milliseconds"
            parts.append("Colours stand for times, in \(scale.bounds.count) steps up to \(range).")
        }
        if !signs.isEmpty { parts.append("Signs: \(signs.map(\.text).joined(separator: ", ")).") }
        return parts.joined(separator: " ")
    }

    func elements(left: Double, top: Double) -> String {
        var lines: [String] = []
        var top = top
        if !scale.bounds.isEmpty {
            lines.append(text("caption", "Milliseconds until it came, at most", Place(x: left, y: top + 4)))
            for (step, bound) in scale.bounds.enumerated() {
                let x = left + Double(step) * Self.swatchWidth
                lines.append(
                    """
                    <rect class="swatch t\(scale.colour(ofStep: step))" x="\(PictureText.number(x))" \
                    y="\(PictureText.number(top + 16))" width="\(PictureText.number(Self.swatchWidth - 6))" height="16"/>
                    """
                )
                lines.append(text("value", PictureText.milliseconds(bound), Place(x: x, y: top + 50)))
            }
            top += 76
        }
        var x = left
        for sign in signs {
            lines.append(sign.element(Place(x: x + 12, y: top + 4)))
            lines.append(text("value", sign.text, Place(x: x + 32, y: top + 9)))
            x += 64 + Double(sign.text.count) * Self.letterWidth
        }
        return lines.joined(separator: "\n")
    }

    private func text(_ name: String, _ text: String, _ place: Place) -> String {
        """
        <text class="\(name)" x="\(PictureText.number(place.x))" y="\(PictureText.number(place.y))">\
        \(PictureText.escaped(text))</text>
        """
    }

    private static func square(_ name: String, at centre: Place) -> String {
        """
        <rect class="\(name)" x="\(PictureText.number(centre.x - 7))" y="\(PictureText.number(centre.y - 7))" \
        width="14" height="14" rx="7"/>
        """
    }

    private static func lateLink(at centre: Place) -> String {
        "<path class=\"late\" d=\"M\(PictureText.number(centre.x - 12)) \(PictureText.number(centre.y))h24\"/>"
    }

    private static let swatchWidth = 106.0
    /// The approximate width of a letter in the legend.
    private static let letterWidth = 8.0
}
