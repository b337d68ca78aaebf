import Foundation
import Synchronization

/// An update for a screen.
enum ScreenUpdate: Equatable, Sendable {
    /// Lines above the line that is being typed.
    case lines([StyledLine])
    /// Lines in the same place, which can be redrawn by this name.
    case message(String, [StyledLine])
    /// New lines in place of those of this name, if they can be reached and have the same number.
    case redraw(String, [StyledLine])
    /// A picture above the line that is being typed, in the form that the screen takes.
    case picture([UInt8])
    /// The new prompt.
    case prompt(ChatPrompt)
    /// The new words for completion.
    case words(CompletionWords)
    /// The removal of everything that was shown, including the scrollback.
    case clear
    /// The removal of the history of typed lines.
    case forgetTyped
    /// A new size of the terminal.
    case resized
    /// The request to stop the process until it is continued.
    case suspended
    /// The continuation of the process.
    case continued
    case end
}

/// A queue of updates for the thread that owns the terminal, which waits for a descriptor.
///
/// Bounded: if the terminal does not take lines, the oldest ones beyond ``updateCount`` are dropped.
final class ScreenFeed: Sendable {
    static let updateCount = 2_048

    private let waiting = Mutex<[ScreenUpdate]>([])
    /// The descriptor that is readable while updates wait.
    let wakeInput: Int32
    private let wakeOutput: Int32

    init() throws(CommandFailure) {
        var wake: [Int32] = [-1, -1]
        guard pipe(&wake) == 0 else {
            throw CommandFailure(.failed, "The system gives no pipe: \(String(cString: strerror(errno))).")
        }
        for descriptor in wake {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        (wakeInput, wakeOutput) = (wake[0], wake[1])
    }

    deinit {
        close(wakeInput)
        close(wakeOutput)
    }

    func add(_ update: ScreenUpdate) {
        waiting.withLock { updates in
            updates.append(update)
            guard updates.count > Self.updateCount, let oldest = updates.firstIndex(where: \.isDroppable) else {
                return
            }
            updates.remove(at: oldest)
        }
        var byte: UInt8 = 0
        _ = write(wakeOutput, &byte, 1)
    }

    /// Takes all waiting updates, in order.
    func take() -> [ScreenUpdate] {
        var bytes = [UInt8](repeating: 0, count: 512)
        while read(wakeInput, &bytes, bytes.count) == bytes.count {}
        return waiting.withLock { updates in
            defer { updates = [] }
            return updates
        }
    }
}

extension ScreenUpdate {
    fileprivate var isDroppable: Bool {
        switch self {
        case .lines, .message, .redraw, .picture, .prompt, .words, .resized: true
        case .clear, .forgetTyped, .suspended, .continued, .end: false
        }
    }
}
