import Foundation

/// A terminal that hides the typed text, until it is restored.
///
/// It handles the keys that end or stop a program itself, so that the terminal is never left silent.
struct SilentTerminal {
    private let before: termios
    private let silent: termios

    /// Silences the terminal of standard input, and discards text that was typed before.
    init() {
        var settings = termios()
        tcgetattr(0, &settings)
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        silent = settings
        apply(silent)
    }

    /// Restores the terminal.
    func restore() { apply(before) }

    /// Reads the next line; nil at the end of the input.
    ///
    /// - Parameter resume: Asks again when the program continues after a stop.
    func line(onResuming resume: () -> Void) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1 {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: bytes, as: UTF8.self)
            case Key.interrupt: return leave(by: SIGINT)
            case Key.quit: return leave(by: SIGQUIT)
            case Key.stop:
                // Unlike SIGTSTP, SIGSTOP also stops a program whose terminal has no shell.
                _ = leave(by: SIGSTOP)
                apply(silent)
                resume()
            case Key.end where bytes.isEmpty: return nil
            case Key.delete, Key.backspace: bytes = Array(String(decoding: bytes, as: UTF8.self).dropLast().utf8)
            case Key.clear: bytes = []
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private func leave(by signal: Int32) -> String? {
        restore()
        raise(signal)
        return nil
    }

    private func apply(_ settings: termios) {
        var settings = settings
        tcsetattr(0, TCSAFLUSH, &settings)
    }

    /// The keys for editing and for leaving, as terminals send them.
    private enum Key {
        static let interrupt: UInt8 = 0x03
        static let end: UInt8 = 0x04
        static let backspace: UInt8 = 0x08
        static let clear: UInt8 = 0x15
        static let stop: UInt8 = 0x1A
        static let quit: UInt8 = 0x1C
        static let delete: UInt8 = 0x7F
    }
}
