import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Events")
struct EventTests {
    private static let conversation =
        #"{"id":"\#(Samples.bobHex)","kind":"direct","members":["\#(Samples.bobHex)"],"mutedUntil":"2023-11-14T22:13:20.000Z","request":false,"title":"Bob","unread":0}"#

    /// Returns each event with its line.
    private static func table() throws -> [(ChatEvent, String)] {
        let bob = try Samples.bob()
        let alice = try Samples.alice()
        let id = try #require(MessageID(hex: Samples.messageHex))
        let report = EnvelopeReport(id: "00ff", kind: 3, byteCount: 1_024)
        let peer = #""peer":"\#(Samples.bobHex)","type":"trust""#
        let claimant = #""claimant":"\#(Samples.aliceHex)""#
        let contact = String(decoding: try RPCCoding.encode(ContactReply(try Samples.contact())), as: UTF8.self)
        let message = String(decoding: try RPCCoding.encode(MessageReply(try Samples.message())), as: UTF8.self)
        return [
            (.linkUp(count: 2), #"{"links":2,"type":"link.up"}"#),
            (.linkDown(count: 0), #"{"links":0,"type":"link.down"}"#),
            (.contact(try Samples.contact()), #"{"contact":\#(contact),"type":"contact"}"#),
            (.trust(.newPeer(bob)), #"{"event":"newPeer",\#(peer)}"#),
            (.trust(.nameCollision(bob, claimant: alice)), #"{\#(claimant),"event":"nameCollision",\#(peer)}"#),
            (.trust(.changed(bob, claimant: alice)), #"{\#(claimant),"event":"changed",\#(peer)}"#),
            (
                .trust(.rotated(bob, to: alice)),
                #"{"event":"rotated","peer":"\#(Samples.bobHex)","to":"\#(Samples.aliceHex)","type":"trust"}"#
            ),
            (
                .conversation(try Samples.conversation()),
                #"{"conversation":\#(conversation),"type":"conversation"}"#
            ),
            (.message(try Samples.message()), #"{"message":\#(message),"type":"message"}"#),
            (
                .status(.direct(bob), id, .delivered),
                #"{"message":"\#(Samples.messageHex)","status":"delivered","type":"status"}"#
            ),
            (
                .status(.direct(bob), id, .failed(.expired)),
                #"{"message":"\#(Samples.messageHex)","reason":"expired","status":"failed","type":"status"}"#
            ),
            (
                .progress(.direct(bob), id, file: 1, byteCount: 5, total: 9),
                #"{"bytes":5,"index":1,"message":"\#(Samples.messageHex)","total":9,"type":"progress"}"#
            ),
            (
                .fileFailed(.direct(bob), id, file: 1, .cancelled),
                #"{"index":1,"message":"\#(Samples.messageHex)","reason":"cancelled","type":"file.failed"}"#
            ),
            (.relayed(report), #"{"bytes":1024,"id":"00ff","kind":3,"type":"envelope"}"#),
            (.erased(.direct(try Samples.contact().id)), #"{"conversation":"\#(Samples.bobHex)","type":"erased"}"#),
            (.locked, #"{"type":"locked"}"#), (.unlocked, #"{"type":"unlocked"}"#),
            (.storageFailing(reason: "full"), #"{"reason":"full","type":"storage"}"#),
            (.lagged(dropped: 9), #"{"dropped":9,"type":"lagged"}"#),
        ]
    }

    @Test("Every event has its line, and a client reads the same from it")
    func lines() throws {
        try Self.check(Self.table())
    }

    @Test("Every event of what becomes of a message has its line")
    func changes() throws {
        let bob = try Samples.bob()
        let id = try #require(MessageID(hex: Samples.messageHex))
        let message = String(decoding: try RPCCoding.encode(MessageReply(try Samples.message())), as: UTF8.self)
        try Self.check([
            (.changed(try Samples.message()), #"{"message":\#(message),"type":"message.changed"}"#),
            (
                .removed(.direct(bob), id),
                #"{"conversation":"\#(Samples.bobHex)","message":"\#(Samples.messageHex)","type":"message.removed"}"#
            ),
            (
                .typing(.direct(bob), by: bob, isTyping: true),
                #"{"active":true,"by":"\#(Samples.bobHex)","conversation":"\#(Samples.bobHex)","type":"typing"}"#
            ),
            (
                .streamingReply(.direct(bob), by: bob, answering: id, text: "so f"),
                #"{"by":"\#(Samples.bobHex)","conversation":"\#(Samples.bobHex)","message":"\#(Samples.messageHex)","#
                    + #""text":"so f","type":"assistant.token"}"#
            ),
        ])
    }

    @Test("Events of groups have the fields of the interface, and come out as they went in")
    func groupLines() throws {
        let id = try Samples.message().id
        let group = try Samples.group(of: []).id
        let table: [(ChatEvent, String)] = [
            (
                .delivery(
                    .group(group),
                    id,
                    RecipientDelivery(recipient: try Samples.bob(), status: .failed(.notMember))
                ),
                #"{"by":"\#(Samples.bobHex)","message":"\#(Samples.messageHex)","reason":"notMember","status":"failed","type":"status"}"#
            ),
            (
                .delivery(.group(group), id, RecipientDelivery(recipient: try Samples.bob(), status: .sent)),
                #"{"by":"\#(Samples.bobHex)","message":"\#(Samples.messageHex)","status":"sent","type":"status"}"#
            ),
            (
                .group(group, .renamed("Forest")),
                #"{"event":"renamed","group":"\#(Samples.groupHex)","title":"Forest","type":"group"}"#
            ),
            (
                .group(group, .equivocation(by: try Samples.bob())),
                #"{"by":"\#(Samples.bobHex)","event":"equivocation","group":"\#(Samples.groupHex)","type":"group"}"#
            ),
            (.group(group, .policyChanged), #"{"event":"policy","group":"\#(Samples.groupHex)","type":"group"}"#),
            (
                .group(
                    group,
                    .history(HistoryProgress(attester: try Samples.bob(), messageCount: 3, isComplete: true))
                ),
                #"{"by":"\#(Samples.bobHex)","complete":true,"event":"history","group":"\#(Samples.groupHex)","messages":3,"type":"group"}"#
            ),
            (
                .room(group, .code("47-482913")),
                #"{"code":"47-482913","event":"code","room":"\#(Samples.groupHex)","type":"room"}"#
            ),
            (
                .room(group, .waiting(try Samples.bob(), name: "Al")),
                #"{"by":"\#(Samples.bobHex)","event":"waiting","name":"Al","room":"\#(Samples.groupHex)","type":"room"}"#
            ),
            (
                .room(group, .changed(.renamed("Forest"))),
                #"{"event":"renamed","room":"\#(Samples.groupHex)","title":"Forest","type":"room"}"#
            ),
            (.room(group, .expired), #"{"event":"expired","room":"\#(Samples.groupHex)","type":"room"}"#),
        ]
        try Self.check(table)
    }

    @Test("What something else has changed is told sign by sign")
    func tampering() throws {
        let event = ChatEvent.historyTampered(HistoryReport(signs: try Samples.signs()))
        try Self.check([(event, #"{"signs":\#(Samples.signsJSON),"type":"history.tampered"}"#)])
    }

    private static func check(_ table: [(ChatEvent, String)]) throws {
        for (event, json) in table {
            let line = try #require(RPCDispatcher.line(RPCEvent(event)))
            #expect(String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","method":"event","params":\#(json)}"#)
            let read = try RPCCoding.decode(RPCEvent.self, from: Array(json.utf8))
            #expect(try RPCCoding.encode(read) == Array(json.utf8))
            #expect(RPCEvent.types.contains(read.type), "No client can ask for \(read.type).")
        }
    }

    @Test("The event that opens the standard streams names the node")
    func ready() throws {
        let line = try #require(RPCDispatcher.line(.ready(id: "ab", name: "Alice")))
        let json = #"{"id":"ab","name":"Alice","type":"ready"}"#
        #expect(String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","method":"event","params":\#(json)}"#)
        #expect(try RPCCoding.decode(RPCEvent.self, from: Array(json.utf8)) == .ready(id: "ab", name: "Alice"))
        #expect(!RPCEvent.types.contains("ready"))
    }

    @Test(
        "An event of an unknown type, or without a field, is refused",
        arguments: [
            #"{"type":"other"}"#, #"{"links":2}"#, #"{"type":"link.up"}"#, #"{"links":"2","type":"link.up"}"#,
            #"{"message":"ab","type":"status"}"#, #"{"by":null,"type":"typing"}"#, #"{"type":"trust"}"#, "[]",
        ]
    )
    func unreadable(json: String) {
        #expect(throws: DecodingError.self) { try RPCCoding.decode(RPCEvent.self, from: Array(json.utf8)) }
    }
}
