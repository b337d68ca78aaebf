import Earshot
import EarshotRPC
import Foundation

/// The end of the demo: the viewer writes to Bob, who echoes.
struct DemoChat: Sendable {
    private let alice: DemoNode
    private let bob: DemoNode
    private let aliceID: String
    private let bobID: String
    private let console: Console

    init(_ alice: DemoNode, _ bob: DemoNode, _ aliceID: String, _ bobID: String, _ console: Console) {
        self.alice = alice
        self.bob = bob
        self.aliceID = aliceID
        self.bobID = bobID
        self.console = console
    }

    /// Reads lines from the terminal until an empty one or its end.
    func run() async throws {
        console.line()
        console.line("You are Alice. Write to Bob, who echoes; an empty line ends the demo.")
        let keyboard = try DescriptorConnection(input: 0, output: 1, ownsDescriptors: false)
        var framer = LineFramer()
        prompt()
        for try await chunk in keyboard.chunks {
            // The framer skips empty lines, but here an empty line ends the chat.
            if chunk == [UInt8(ascii: "\n")] { return }
            for line in try framer.lines(adding: chunk) { await exchange(String(decoding: line, as: UTF8.self)) }
            prompt()
        }
    }

    private func prompt() {
        FileHandle.standardOutput.write(Data("you> ".utf8))
    }

    /// Sends a line to Bob and lets Bob echo it; a failure is shown, and the next line may succeed.
    private func exchange(_ text: String) async {
        do {
            let start = ContinuousClock.now
            _ = try await alice.client.call(SendCall(to: bobID, text: text))
            _ = try await bob.first("your text at Bob's", since: start, incoming(text))
            let echo = "You said: \(text)"
            _ = try await bob.client.call(SendCall(to: aliceID, text: echo))
            let came = try await alice.first("Bob's echo", since: start, incoming(echo))
            let time = console.coloured("(there and back in \(TimeText.span(start.duration(to: came.time))))", .dim)
            console.line("bob> \(DisplayText.safe(echo))  \(time)")
        } catch {
            console.complain(CommandFailure(error).message)
        }
    }

    private func incoming(_ text: String) -> @Sendable (RPCEvent) -> Bool? {
        { event in
            if case .message(let message) = event, !message.outgoing, message.text == text { true } else { nil }
        }
    }
}
