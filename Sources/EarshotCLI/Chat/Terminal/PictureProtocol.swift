import ArgumentParser
import Foundation

/// How a terminal shows pictures.
enum PictureProtocol: String, Equatable, Sendable {
    case kitty
    case iTerm = "iterm"
    case sixel

    /// Units: bytes of base64 in one piece of kitty's.
    private static let pieceByteCount = 4_096
    /// Units: rows that a picture takes at most, so that it leaves the conversation in view.
    static let rowCount = 10
    /// Units: pixels of Sixel that one band is high.
    private static let bandHeight = 6

    /// What the environment is sure of; nil inside of tmux or screen, which pass nothing through, and for all else.
    init?(environment: [String: String]) {
        let terminal = environment["TERM", default: ""]
        guard environment["TMUX", default: ""].isEmpty, environment["STY", default: ""].isEmpty,
            !terminal.hasPrefix("screen"), !terminal.hasPrefix("tmux")
        else { return nil }
        // What a terminal calls itself goes before what one that it was started from has left in the environment.
        switch (terminal, terminal.prefix { $0 != "-" }, environment["TERM_PROGRAM"]) {
        case ("xterm-kitty", _, _), ("xterm-ghostty", _, _): self = .kitty
        case (_, "foot", _), (_, "mlterm", _), (_, "contour", _), (_, "yaft", _): self = .sixel
        case (_, _, "iTerm.app"), (_, _, "WezTerm"): self = .iTerm
        case (_, _, "mintty"): self = .sixel
        default: return nil
        }
    }

    /// What shows a picture below the cursor and ends below it.
    ///
    /// - Parameter picture: A PNG, or for Sixel the sequence itself.
    func sequence(_ picture: [UInt8]) -> String {
        switch self {
        case .iTerm:
            let base64 = Data(picture).base64EncodedString()
            let facts = "inline=1;size=\(picture.count);height=\(Self.rowCount);preserveAspectRatio=1"
            return "\u{1B}]1337;File=\(facts):\(base64)\u{7}\r\n"
        case .kitty:
            let base64 = Data(picture).base64EncodedString()
            var rest = base64[...]
            var result = ""
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceByteCount)
                rest = rest.dropFirst(piece.count)
                let start = result.isEmpty ? "a=T,f=100,q=2,r=\(Self.rowCount)," : ""
                result += "\u{1B}_G\(start)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
            }
            return result + "\r\n"
        case .sixel: return String(decoding: picture, as: UTF8.self) + "\r\n"
        }
    }

    /// Units: pixels that a picture of Sixel has at most: whole bands, for some terminals fill the last one up.
    static func sixelBox(in size: TerminalSize) -> (width: Int, height: Int) {
        let height = min(rowCount, max(size.height / 2, 1)) * size.cell.height
        return (max(size.width * size.cell.width, 1), max(height / bandHeight, 1) * bandHeight)
    }
}

/// How the user wants pictures to be shown.
enum PictureChoice: String, CaseIterable, ExpressibleByArgument {
    /// As what the terminal calls itself is sure of.
    case auto
    case kitty, iterm, sixel
    case none

    /// What becomes of it in this environment; nil for no pictures.
    func pictures(environment: [String: String]) -> PictureProtocol? {
        self == .auto ? PictureProtocol(environment: environment) : PictureProtocol(rawValue: rawValue)
    }
}
