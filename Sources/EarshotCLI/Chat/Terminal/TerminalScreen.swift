import Dispatch
import Foundation

/// The screen of a terminal, which a thread of its own reads and draws.
///
/// It owns that thread and the signals that concern the terminal.
actor TerminalScreen: ChatScreen {
    /// The largest number of lines that are typed ahead.
    private static let inputCount = 1_024

    nonisolated let inputs: AsyncStream<TypedInput>
    nonisolated let hasStatusRow = true
    nonisolated let pictures: PictureProtocol?
    private let feed: ScreenFeed
    private let continuation: AsyncStream<TypedInput>.Continuation
    private let ended: AsyncStream<Void>
    /// Kept, because a source without an owner ends.
    private let sources: [any DispatchSourceSignal]

    /// Takes over the terminal.
    init(environment: [String: String], _ choice: PictureChoice) throws {
        let feed = try ScreenFeed()
        self.feed = feed
        let (inputs, continuation) = AsyncStream<TypedInput>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.inputCount)
        )
        self.inputs = inputs
        self.continuation = continuation
        let (ended, end) = AsyncStream<Void>.makeStream()
        self.ended = ended
        func source(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: body)
            source.resume()
            return source
        }
        sources = [
            source(SIGWINCH) { feed.add(.resized) },
            source(SIGCONT) { feed.add(.continued) },
            source(SIGTSTP) { feed.add(.suspended) },
            source(SIGHUP) { continuation.yield(.hungUp) },
        ]
        let looks = TerminalLooks(environment: environment, choice)
        pictures = looks.pictures
        Thread.detachNewThread {
            if let editor = LineEditor(feed: feed, looks: looks, report: { continuation.yield($0) }) {
                editor.run()
            } else {
                continuation.yield(.hungUp)
            }
            end.finish()
        }
    }

    nonisolated func show(_ update: ScreenUpdate) { feed.add(update) }

    nonisolated func finishLine() {}

    func end() async {
        feed.add(.end)
        for await _ in ended {}
        continuation.finish()
    }
}

/// The abilities of the terminal.
struct TerminalLooks: Sendable, Equatable {
    let isColoured: Bool
    let pictures: PictureProtocol?

    init(environment: [String: String], _ choice: PictureChoice) {
        isColoured = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        pictures = choice.pictures(environment: environment)
    }
}
