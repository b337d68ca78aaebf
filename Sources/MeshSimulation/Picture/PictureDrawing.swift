/// The drawing of a picture on a canvas: title, mesh and legend, one below the other.
struct PictureDrawing {
    private let picture: MeshPicture
    private let scale: PictureScale
    private let points: [Place]
    private let radius: Double
    /// The vertical position at which the mesh ends and the legend begins.
    private let legendTop: Double

    init(_ picture: MeshPicture) {
        self.picture = picture
        scale = PictureScale(
            picture.marks.compactMap { mark in
                if case .reached(let time) = mark { time } else { nil }
            }
        )
        let (least, greatest) = picture.places.bounds
        let (width, height) = (greatest.x - least.x, greatest.y - least.y)
        let factor = min(Self.meshSide / max(width, 1e-9), Self.meshSide / max(height, 1e-9), Self.largestStep)
        let drawnHeight = max(height * factor, Self.leastMeshHeight)
        let top = Self.meshTop + (drawnHeight - height * factor) / 2
        let left = (Self.width - width * factor) / 2
        points = picture.places.map { place in
            Place(x: left + (place.x - least.x) * factor, y: top + (place.y - least.y) * factor)
        }
        let room = max(width * factor, Self.leastMeshHeight) * drawnHeight / Double(max(1, points.count))
        radius = min(max(room.squareRoot() * Self.radiusShare, Self.radii.lowerBound), Self.radii.upperBound)
        legendTop = Self.meshTop + drawnHeight + Self.margin
    }

    /// The SVG file.
    var svg: String {
        let legend = PictureLegend(picture.marks, scale, hasLateLinks: picture.links.contains(where: \.isLate))
        let height = legendTop + legend.height + Self.margin / 2
        let size = "\(PictureText.number(Self.width)) \(PictureText.number(height))"
        let title = PictureText.escaped(picture.title)
        let caption = PictureText.escaped(picture.caption)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" aria-labelledby="title description">
            <title id="title">\(title)</title>
            <desc id="description">\(caption) \(PictureText.escaped(legend.description))</desc>
            <style>
            \(PictureStyle.text)
            </style>
            <rect class="ground" width="100%" height="100%"/>
            <text class="title" x="40" y="48">\(title)</text>
            <text class="caption" x="40" y="74">\(caption)</text>
            \(linkLines)
            <g class="hosts" stroke-width="\(PictureText.number(min(1.2, radius * 0.2)))">
            \(circles)
            </g>
            \(signs)
            \(legend.elements(left: 40, top: legendTop))
            </svg>

            """
    }

    private var linkLines: String {
        let plain = picture.links.filter { !$0.isLate }
        let late = picture.links.filter(\.isLate)
        // Many links are thin and pale. Otherwise they would hide everything else.
        let opacity = min(0.75, max(0.2, 14 / Double(max(1, plain.count)).squareRoot()))
        let thickness = min(1.6, max(0.4, radius * 0.16))
        let digits = PictureText.number(opacity * 10).filter { $0 != "." }
        var lines = """
            <path class="link" stroke-width="\(PictureText.number(thickness))" stroke-opacity="0.\(digits)" \
            d="\(path(plain))"/>
            """
        if !late.isEmpty { lines += "\n<path class=\"late\" d=\"\(path(late))\"/>" }
        return lines
    }

    private func path(_ links: [MeshPicture.Link]) -> String {
        links.map { "M\(text(points[$0.host]))L\(text(points[$0.other]))" }.joined()
    }

    /// One circle for each host.
    ///
    /// The file has no other circles.
    private var circles: String {
        zip(picture.marks, points).enumerated().map { host, element in
            let (mark, point) = element
            let name =
                switch mark {
                case .origin: "origin"
                case .reached(let time): "t\(scale.colour(of: time))"
                case .missed: "missed"
                case .off: "off"
                case .spammer: "spammer"
                }
            return """
                <circle class="\(name)" cx="\(PictureText.number(point.x))" cy="\(PictureText.number(point.y))" \
                r="\(PictureText.number(radius))"><title>\(Self.text(of: mark, host: host))</title></circle>
                """
        }.joined(separator: "\n")
    }

    /// The signs over circles that a reader must find among thousands.
    private var signs: String {
        let size = max(10, radius * 1.5)
        return zip(picture.marks, points).compactMap { mark, point in
            switch mark {
            case .origin: PictureSign.star(at: point, size: size)
            case .spammer: PictureSign.diamond(at: point, size: size)
            case .reached, .missed, .off: nil
            }
        }.joined(separator: "\n")
    }

    private func text(_ point: Place) -> String {
        "\(PictureText.number(point.x)) \(PictureText.number(point.y))"
    }

    private static func text(of mark: MeshPicture.Mark, host: Int) -> String {
        switch mark {
        case .origin: "host \(host): wrote it"
        case .reached(let time): "host \(host): \(PictureText.milliseconds(time)) ms"
        case .missed: "host \(host): never"
        case .off: "host \(host): switched off"
        case .spammer: "host \(host): sends spam"
        }
    }

    // Units: the picture's own coordinates.
    private static let width = 960.0
    private static let margin = 40.0
    private static let meshTop = 110.0
    private static let meshSide = 860.0
    private static let leastMeshHeight = 120.0
    /// The largest distance in the drawing between hosts that are one unit apart.
    ///
    /// Without it a mesh of three hosts would be huge.
    private static let largestStep = 860.0
    private static let radii = 1.6...13.0
    /// The radius of a host as a share of the space that it has.
    private static let radiusShare = 0.19
}

/// The signs that are not circles.
enum PictureSign {
    /// Draws a star with five points, for the origin.
    static func star(at centre: Place, size: Double) -> String {
        let corners = (0..<10).map { corner in
            centre.moved(by: corner % 2 == 0 ? size : size * 0.45, turns: Double(corner) / 10 - 0.25)
        }
        return polygon("star", corners)
    }

    /// Draws a square on its corner, for the spammer.
    static func diamond(at centre: Place, size: Double) -> String {
        polygon("diamond", (0..<4).map { centre.moved(by: size, turns: Double($0) / 4) })
    }

    private static func polygon(_ name: String, _ corners: [Place]) -> String {
        let points = corners.map { "\(PictureText.number($0.x)),\(PictureText.number($0.y))" }
        return "<polygon class=\"\(name)\" points=\"\(points.joined(separator: " "))\"/>"
    }
}
