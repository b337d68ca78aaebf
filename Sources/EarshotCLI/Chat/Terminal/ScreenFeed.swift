import Foundation
import Synchronization

/// What a screen is told to show.
enum ScreenUpdate: Equatable, Sendable {
    /// Lines above what is being typed.
    case lines([StyledLine])
    /// The same, to be drawn anew by this name.
    case message(String, [StyledLine])
    /// What takes the place of the lines of this name, while they can be reached and there are as many.
    case redraw(String, [StyledLine])
    /// A picture above what is being typed, as the screen takes it.
    case picture([UInt8])
    /// What stands around what is being typed.
    case prompt(ChatPrompt)
    /// What words can be completed to.
    case words(CompletionWords)
    /// Takes away everything that was shown, also what can be scrolled back to.
    case clear
    /// Forgets what was typed before.
    case forgetTyped
    /// The terminal has another size.
    case resized
    /// The process is to stop until it is continued.
    case suspended
    /// The process was continued.
    case continued
    case end
}

/// Updates on their way to the thread that has the terminal, which waits for a descriptor.
///
/// Bounded: of lines that a terminal does not take, the oldest give way beyond ``updateCount``.
final class ScreenFeed: Sendable {
    static let updateCount = 2_048

    private let waiting = Mutex<[ScreenUpdate]>([])
    /// Readable while there is something.
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

    /// Everything that waits, in order.
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
