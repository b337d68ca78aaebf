/// The colours of pictures for light and dark backgrounds.
///
/// Steps of time go from the most to the least prominent colour. Their lightness only rises or only falls, so that a
/// reader can distinguish them without colours too (the scale "viridis", with a lighter end on dark backgrounds). Text
/// has a contrast of at least 4.5 to its background. The style has no CSS variables, because many programs that draw
/// SVG do not support them.
enum PictureStyle {
    static var text: String {
        """
        text{font-family:system-ui,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;font-size:16px}
        .title{font-size:24px;font-weight:600}
        path,.missed,.off{fill:none}
        .late{stroke-width:3;stroke-dasharray:7 4}
        .missed,.off{stroke-width:1.5}
        .off{stroke-dasharray:3 2}
        .origin{stroke:none}
        \(light.text)
        @media (prefers-color-scheme:dark){
        \(dark.text)
        }
        """
    }

    struct Colours {
        let ground: String
        let ink: String
        let secondInk: String
        let link: String
        let accent: String
        let steps: [String]

        var text: String {
            let classes = steps.enumerated().map { ".t\($0){fill:\($1)}" }.joined()
            return """
                .ground,.origin{fill:\(ground)}
                .title,.value,.star{fill:\(ink)}
                .caption{fill:\(secondInk)}
                .link{stroke:\(link)}
                .hosts,.swatch{stroke:\(secondInk)}
                .off{stroke:\(secondInk)}
                .late,.missed{stroke:\(accent)}
                .spammer,.diamond{fill:\(accent)}
                .star,.diamond{stroke:\(ground);stroke-width:1.5}
                \(classes)
                """
        }
    }

    static let light = Colours(
        ground: "#ffffff",
        ink: "#1a1d21",
        secondInk: "#4d545e",
        link: "#5f6772",
        accent: "#c2410c",
        steps: ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"]
    )

    static let dark = Colours(
        ground: "#14171c",
        ink: "#eceff4",
        secondInk: "#b4bcc8",
        link: "#8f98a5",
        accent: "#ff9d5c",
        steps: ["#fde725", "#a0da39", "#4ac16d", "#1fa187", "#277f8e", "#3a6ea5", "#5a55a0", "#7a3f92"]
    )
}
