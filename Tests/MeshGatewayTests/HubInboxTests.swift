import Testing

@testable import MeshGateway

@Suite("What a hub sends waits within limits")
struct HubInboxTests {
    private func mail(_ byteCount: Int) -> HubEvent {
        .mail(subject: "e.a.b", body: [UInt8](repeating: 1, count: byteCount))
    }

    @Test("A full inbox drops mail, and keeps the end of the connection")
    func full() {
        let inbox = HubInbox()
        inbox.follow(7)
        for _ in 0..<HubLimits.waitingCount + 10 { inbox.add(mail(1), of: 7) }
        inbox.add(.closed, of: 7)
        #expect(inbox.take().count == HubLimits.waitingCount + 1)
        for _ in 0..<HubLimits.waitingByteCount / 16_384 + 10 { inbox.add(mail(16_384), of: 7) }
        #expect(inbox.take().count < HubLimits.waitingByteCount / 16_384)
        inbox.add(mail(HubLimits.messageByteCount), of: 7)
        // The end is seen again and again, until there is another connection.
        for _ in 0..<2 {
            guard case .closed = inbox.take().first else {
                Issue.record("the end was forgotten")
                return
            }
        }
        inbox.follow(8)
        #expect(inbox.take().isEmpty)
    }

    @Test("Late messages of an earlier connection are dropped")
    func late() {
        let inbox = HubInbox()
        inbox.follow(7)
        inbox.follow(8)
        inbox.add(mail(1), of: 7)
        inbox.add(.closed, of: 7)
        #expect(inbox.take().isEmpty)
        inbox.follow(0)
        inbox.add(mail(1), of: 0)
        #expect(inbox.take().isEmpty)
    }
}
