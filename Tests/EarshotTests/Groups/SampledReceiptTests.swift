import ChatCrypto
import Testing

@testable import ChatCore

@Suite("Receipts in large groups")
struct SampledReceiptTests {
    @Test("Of 16 members that confirm a message 12 are enough, and of a small group all are needed")
    func enough() {
        let members = (0..<16).map { Numbered.peer($0) }
        for isSampled in [true, false] {
            var record = ProtoMessageRecord()
            record.expectReceipts(of: members, isSampled: isSampled, in: 3)
            for (index, member) in members.enumerated() {
                let expected: DeliveryStatus = index < (isSampled ? 12 : 16) ? .queued : .delivered
                #expect(record.receivedStatus == expected, "\(index) of 16")
                _ = record.note(.delivered, by: member)
            }
            #expect(record.receivedStatus == .delivered && record.isSampled == isSampled)
            for member in members { _ = record.note(.read, by: member) }
            #expect(record.receivedStatus == .read)
        }
    }

    @Test("In a group of 40 the members that a message names confirm it, and no others")
    func sample() throws {
        let names = (0..<40).map { "N\($0)" }
        let scene = try GroupScene(names)
        let group = try scene.create(with: Array(1..<40))
        let id = try scene.say("hello, all", by: 3, in: group)
        scene.world.run(for: 20_000)
        let deliveries = try scene.deliveries(of: id, at: 3)
        // The author may be one of the 16.
        #expect((15...16).contains(deliveries.count))
        #expect(deliveries.values.allSatisfy { $0 == .delivered })
        #expect(try scene.status(of: id, at: 3) == .delivered)
        #expect(try scene.messages(group, of: 3).map(\.isSampled) == [true])
        #expect(try scene.messages(group, of: 4).map(\.isSampled) == [false])
        for index in 0..<40 { #expect(try scene.texts(group, of: index) == ["hello, all"], "\(index)") }
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }
}
