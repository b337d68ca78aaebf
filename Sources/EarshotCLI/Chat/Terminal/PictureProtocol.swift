import Foundation

/// How a terminal shows pictures, where that is sure.
enum PictureProtocol: Equatable, Sendable {
    case kitty
    case iTerm

    /// Units: bytes of base64 in one piece of kitty's.
    private static let pieceByteCount = 4_096
    /// Units: rows that a picture takes at most, so that it leaves the conversation in view.
    private static let rowCount = 10

    /// What the environment is sure of; nil inside of tmux or screen, which pass nothing through, and for all else.
    init?(environment: [String: String]) {
        let terminal = environment["TERM", default: ""]
        guard environment["TMUX", default: ""].isEmpty, environment["STY", default: ""].isEmpty,
            !terminal.hasPrefix("screen"), !terminal.hasPrefix("tmux")
        else { return nil }
        switch (terminal, environment["TERM_PROGRAM"]) {
        case ("xterm-kitty", _), ("xterm-ghostty", _): self = .kitty
        case (_, "iTerm.app"), (_, "WezTerm"): self = .iTerm
        default: return nil
        }
    }

    /// What shows a PNG below the cursor and ends below it.
    func sequence(_ png: [UInt8]) -> String {
        let base64 = Data(png).base64EncodedString()
        switch self {
        case .iTerm:
            return
                "\u{1B}]1337;File=inline=1;size=\(png.count);height=\(Self.rowCount);preserveAspectRatio=1:\(base64)\u{7}\r\n"
        case .kitty:
            var rest = base64[...]
            var result = ""
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceByteCount)
                rest = rest.dropFirst(piece.count)
                let start = result.isEmpty ? "a=T,f=100,q=2,r=\(Self.rowCount)," : ""
                result += "\u{1B}_G\(start)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
            }
            return result + "\r\n"
        }
    }
}
