import ArgumentParser
import Foundation

/// A protocol of terminals that show pictures.
enum PictureProtocol: String, Equatable, Sendable {
    case kitty
    case iTerm = "iterm"
    case sixel

    /// Units: bytes of base64 in one piece of the kitty protocol.
    private static let pieceByteCount = 4_096
    /// Units: rows that a picture takes at most, so that the conversation stays in view.
    static let rowCount = 10
    /// Units: pixels of the height of one Sixel band.
    private static let bandHeight = 6

    /// Reads the protocol from the environment; nil if it is not certain, and inside of tmux or screen, which forward
    /// none.
    init?(environment: [String: String]) {
        let terminal = environment["TERM", default: ""]
        guard environment["TMUX", default: ""].isEmpty, environment["STY", default: ""].isEmpty,
            !terminal.hasPrefix("screen"), !terminal.hasPrefix("tmux")
        else { return nil }
        // The terminal's own name takes precedence over variables that an outer terminal left in the environment.
        switch (terminal, terminal.prefix { $0 != "-" }, environment["TERM_PROGRAM"]) {
        case ("xterm-kitty", _, _), ("xterm-ghostty", _, _): self = .kitty
        case (_, "foot", _), (_, "mlterm", _), (_, "contour", _), (_, "yaft", _): self = .sixel
        case (_, _, "iTerm.app"), (_, _, "WezTerm"): self = .iTerm
        case (_, _, "mintty"): self = .sixel
        default: return nil
        }
    }

    /// Makes the sequence that shows a picture below the cursor and leaves the cursor below the picture.
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

    /// Units: pixels of the largest Sixel picture: whole bands, because some terminals fill up the last one.
    static func sixelBox(in size: TerminalSize) -> (width: Int, height: Int) {
        let height = min(rowCount, max(size.height / 2, 1)) * size.cell.height
        return (max(size.width * size.cell.width, 1), max(height / bandHeight, 1) * bandHeight)
    }
}

/// The user's choice of the picture protocol.
enum PictureChoice: String, CaseIterable, ExpressibleByArgument {
    /// The protocol that the environment names, if it is certain.
    case auto
    case kitty, iterm, sixel
    case none

    /// Returns the protocol of this choice in this environment; nil for no pictures.
    func pictures(environment: [String: String]) -> PictureProtocol? {
        self == .auto ? PictureProtocol(environment: environment) : PictureProtocol(rawValue: rawValue)
    }
}
