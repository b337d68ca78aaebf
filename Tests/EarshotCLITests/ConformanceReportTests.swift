import ChatCrypto
import Earshot
import EarshotRPC
import MeshTransport
import Testing

@testable import EarshotCLI

@Suite("Conformance report")
struct ConformanceReportTests {
    @Test("A step is told the first time, and a text after a confirmed answer is one of its own")
    func steps() async throws {
        let report = ConformanceReport()
        let peer = try #require(PeerID(hex: String(repeating: "ab", count: 32)))
        let id = try #require(MessageID(bytes: [UInt8](repeating: 1, count: 16)))
        let text = Message(
            id: id,
            conversation: .direct(peer),
            sender: peer,
            senderName: "Bob",
            text: "Hello",
            sentTime: Timestamp(clamping: 1)
        )
        let events: [ChatEvent] = [
            .linkUp(count: 1), .linkUp(count: 2), .message(text), .message(text), .status(.direct(peer), id, .sent),
            .status(.direct(peer), id, .delivered), .message(text),
        ]
        var steps: [ConformanceStep] = []
        for event in events { steps += [await report.note(event)?.step].compactMap { $0 } }
        #expect(steps == [.link, .text, .receipt, .answer])
        let missing = await report.missing
        #expect(missing == [.introduction, .group, .groupText, .groupReceipt, .room, .roomText])
    }

    @Test("Refused input is told once for each rise of its count, and each kind is one that the node counts")
    func refusals() async throws {
        func metrics(_ frames: Double, _ contents: Double) -> MetricsReply {
            MetricsReply([
                Metric("mesh_drops_total", .counter, "", by: "reason", [.init("malformedFrame", frames)]),
                Metric("chat_contents_refused_total", .counter, "", contents),
            ])
        }
        let report = ConformanceReport()
        var lines: [[ConformanceReport.Line]] = []
        for (frames, contents) in [(0, 0), (2, 1), (2, 1), (3, 1)] {
            lines.append(await report.note(metrics(Double(frames), Double(contents))))
        }
        #expect(lines.map { $0.map(\.count) } == [[], [2, 1], [], [3]])
        #expect(lines[1].map(\.refused) == ["malformedFrame", "chat_contents_refused_total"])
        let node = try await ChatNode.create(name: "Alice")
        let counted = MetricsReply(await node.metrics).values
        for refusal in ConformanceRefusal.all {
            switch (counted[refusal.metric], refusal.reason) {
            case (.number, nil): continue
            case (.numbers(let values), let reason?): #expect(values[reason] != nil, "\(reason)")
            default: Issue.record("\(refusal.metric) is no metric")
            }
        }
        await node.stop()
    }
}
