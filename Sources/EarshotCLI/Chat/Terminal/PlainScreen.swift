import EarshotRPC
import Foundation

/// A screen of plain lines, for pipes and for terminals without further abilities.
final class PlainScreen: ChatScreen {
    let inputs: AsyncStream<TypedInput>
    let hasStatusRow = false
    let pictures: PictureProtocol? = nil
    private let input: DescriptorConnection
    private let console: Console
    private let finished: AsyncStream<Void>.Continuation

    init(_ console: Console) throws {
        let input = try DescriptorConnection(input: 0, output: 1, ownsDescriptors: false)
        self.input = input
        self.console = console
        let (finished, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.finished = continuation
        inputs = AsyncStream { inputs in
            let reading = Task {
                await Self.read(input, until: finished) { inputs.yield($0) }
                inputs.yield(.ended)
                inputs.finish()
            }
            inputs.onTermination = { _ in reading.cancel() }
        }
    }

    /// Reads each line after the one before is fully processed, so that a long file waits in its pipe.
    private static func read(
        _ input: DescriptorConnection,
        until finished: AsyncStream<Void>,
        _ report: (TypedInput) -> Void
    ) async {
        var framer = LineFramer()
        var done = finished.makeAsyncIterator()
        do {
            for try await chunk in input.chunks {
                for line in try framer.lines(adding: chunk) {
                    report(.line(String(decoding: line, as: UTF8.self)))
                    _ = await done.next(isolation: #isolation)
                }
            }
            // The end of the input need not be a whole line.
            for line in try framer.lines(adding: [UInt8(ascii: "\n")]) {
                report(.line(String(decoding: line, as: UTF8.self)))
                _ = await done.next(isolation: #isolation)
            }
        } catch {
            // A line that is too long or a failing input ends the input.
        }
    }

    func show(_ update: ScreenUpdate) {
        switch update {
        case .lines(let lines), .message(_, let lines): for line in lines { console.line(line.text) }
        default: break
        }
    }

    func finishLine() { finished.yield() }

    func end() async { input.cancel() }
}
