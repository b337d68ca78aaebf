import Dispatch
import Earshot
import Testing

/// The time of a token, as a figure only: a slow result on a busy machine is no failure.
@Suite("The time of a token", .serialized, .timeLimit(.minutes(30)))
struct TokenTimeTests {
    @Test("From the model's server to the event of who asked, over one hop of loopback")
    func oneHop() async throws {
        let count = 40
        try await AssistantScene.run("clock:\(count)", "Alice") { scene in
            let (alice, oracle) = (scene.people[0], await scene.oracle.id)
            let question = try await alice.node.conversation(.direct(oracle)).send("what time is it?")
            var times: [Double] = []
            var last: String?
            while last == nil {
                last = try await alice.first { event in
                    switch event {
                    case .streamingReply(_, by: oracle, question.id, let text):
                        if let told = text.split(separator: " ").last.flatMap({ UInt64($0) }) {
                            // The clock of the machine, which the server's process has too.
                            let now = DispatchTime.now().uptimeNanoseconds
                            times.append(Double(now) / 1_000_000 - Double(told) / 1_000_000)
                        }
                        return nil
                    case .message(let message) where message.replyTo?.id == question.id: return message.text
                    default: return nil
                    }
                }
            }
            #expect(last?.split(separator: " ").count == count)
            #expect(!times.isEmpty && times.count <= count && times.allSatisfy { $0 > 0 })
            times.sort()
            func part(_ share: Double) -> Double { times[min(times.count - 1, Int(Double(times.count) * share))] }
            print("FIGURE \(times.count) tokens: \(part(0.5)) ms in the middle, 95 of 100 within \(part(0.95)) ms")
        }
    }
}
