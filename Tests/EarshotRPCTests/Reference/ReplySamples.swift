import ChatCrypto
import Foundation

@testable import ChatCore
@testable import Earshot
@testable import EarshotRPC

/// The results that no example has, because they need a second node.
enum ReplySamples {
    static func all() throws -> [any Sendable] {
        let contact = try Samples.contact()
        let message = try Samples.message(
            files: [MessageFile(name: "a", type: "b/c", byteCount: 9, isComplete: true)]
        )
        let visible = #"{"id":"\#(Samples.groupHex)","door":47,"admission":"open","shut":false}"#
        let address = "tls://hub.example.org"
        let hub = HubReport(host: "hub.example.org", address: address, state: "live", since: Timestamp(clamping: 1))
        let copy = HubCopy(hub: hub.host, time: hub.since)
        return [
            PingCall.Reply(peer: Samples.bobHex, hops: 1, rtt: 0.25), MapReply(Samples.map(of: [contact])),
            RoomReply(try Samples.room(of: [contact])), MessageReply(message),
            SearchHitReply(SearchHit(message: message, places: [0..<2])),
            AttesterReply(Attester(id: contact.id, name: "Bob")),
            ReplyReply(Reply(id: message.id, original: nil)), ImportCall.Reply.Broken(line: 1, reason: "malformed"),
            MentionReply(Mention(contact.id, at: 0..<4)),
            EarlierReply(EarlierText(text: "", sentTime: message.sentTime)),
            ContactReply(contact), SystemReply(.timer(nil)),
            try RPCCoding.decode(VisibleRoomReply.self, from: Array(visible.utf8)),
            HubReply(hub),
            DeliveriesCall.Delivery(RecipientDelivery(recipient: contact.id, status: .carried, copies: [copy])),
            HistoryReportReply(HistoryReport(signs: try Samples.signs())),
        ]
    }
}
