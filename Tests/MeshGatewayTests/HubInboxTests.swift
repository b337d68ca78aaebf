import Synchronization
import Testing

@testable import GatewayCore
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
        inbox.close(7, .noTLS)
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
        #expect(inbox.loss == .noTLS)
        inbox.follow(8)
        #expect(inbox.take().isEmpty)
    }

    @Test("A connection is held back while half of the inbox is full, by count or by bytes, and goes on after that")
    func holdingBack() {
        for (count, byteCount) in [
            (HubLimits.waitingCount / 2, 1), (HubLimits.waitingByteCount / 2 / 16_384, 16_384 - "e.a.b".utf8.count),
        ] {
            let inbox = HubInbox()
            let calls = Mutex(0)
            inbox.follow(7)
            let goOn: @Sendable () -> Void = { calls.withLock { $0 += 1 } }
            for _ in 0..<count { inbox.add(mail(byteCount), of: 7) }
            #expect(!inbox.holdsBack(7, until: goOn))
            inbox.add(mail(byteCount), of: 7)
            #expect(!inbox.holdsBack(6, until: goOn))
            #expect(inbox.holdsBack(7, until: goOn))
            #expect(calls.withLock { $0 } == 0)
            #expect(inbox.take().count == count + 1)
            #expect(calls.withLock { $0 } == 1)
            #expect(!inbox.holdsBack(7, until: goOn))
            #expect(inbox.take().isEmpty)
            #expect(calls.withLock { $0 } == 1)
        }
    }

    @Test("Late messages of an earlier connection are dropped")
    func late() {
        let inbox = HubInbox()
        inbox.follow(7)
        inbox.follow(8)
        inbox.add(mail(1), of: 7)
        inbox.close(7, .noTLS)
        #expect(inbox.take().isEmpty)
        #expect(inbox.loss == nil)
        inbox.follow(0)
        inbox.add(mail(1), of: 0)
        #expect(inbox.take().isEmpty)
    }
}
