import ChatCrypto
import Earshot
import EarshotRPC
import MeshTransport
import Testing

@testable import EarshotCLI

@Suite("Conformance report")
struct ConformanceReportTests {
    @Test("A step is told the first time, and a text after a confirmed answer is one of its own")
    func steps() throws {
        var report = ConformanceReport()
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
        #expect(report.note(.linkUp(count: 1))?.step == .link && report.note(.linkUp(count: 2)) == nil)
        #expect(report.note(.message(text))?.step == .text && report.note(.message(text)) == nil)
        #expect(report.note(.status(.direct(peer), id, .sent)) == nil)
        #expect(report.note(.status(.direct(peer), id, .delivered))?.step == .receipt)
        #expect(report.note(.message(text))?.step == .answer)
        #expect(report.missing == [.introduction, .group, .groupText, .groupReceipt, .room, .roomText])
    }

    @Test("Refused input is told once for each rise of its count, and each kind is one that the node counts")
    func refusals() async throws {
        func metrics(_ frames: Double, _ contents: Double) -> MetricsReply {
            MetricsReply([
                Metric("mesh_drops_total", .counter, "", by: "reason", [.init("malformedFrame", frames)]),
                Metric("chat_contents_refused_total", .counter, "", contents),
            ])
        }
        var report = ConformanceReport()
        #expect(report.note(metrics(0, 0)).isEmpty)
        let first = report.note(metrics(2, 1))
        #expect(first.map(\.refused) == ["malformedFrame", "chat_contents_refused_total"])
        #expect(first.map(\.count) == [2, 1] && report.note(metrics(2, 1)).isEmpty)
        #expect(report.note(metrics(3, 1)).map(\.count) == [3])
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
