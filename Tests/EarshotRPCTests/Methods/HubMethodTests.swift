import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot
@testable import EarshotRPC

@Suite("Hubs and links from afar over JSON-RPC")
struct HubMethodTests {
    private static let address = "tls://hub.example.org"

    /// Returns a link for first messages that another node made, with the hub of these tests.
    private static func link(hubs: [String] = [address]) async throws -> (text: String, id: PeerID) {
        let other = try await ChatNode.alice()
        let made = try await other.identity.invite()
        return (IdentityCode(of: made.id, try #require(made.token), hubs: hubs).text, made.id)
    }

    @Test("A page lists, adds and removes hubs")
    func changes() async throws {
        let (node, hubs) = (try await ChatNode.alice(), StubHubs())
        await node.setHubs(hubs.control)
        let none = #"{"changeable":true,"fixed":["tls://fixed.example.org"],"hubs":[]}"#
        #expect(try await node.answer("hubs", access: .page).isResult(none))
        let parameters = #"{"address":"\#(Self.address)"}"#
        let added = try await node.answer("hubs.add", parameters, access: .page)
        #expect(added.contains(#""address":"\#(Self.address)""#), "\(added)")
        #expect(added.contains(#""sent":2"#) && added.contains(#""state":"live""#))
        #expect(try await node.answer("hubs", access: .page) == added)
        #expect(try await node.answer("hubs.remove", parameters, access: .page).isResult(none))
        #expect(try await node.answer("hubs.remove", parameters, access: .page).contains("-32001"))
        let calls = ["add \(Self.address)", "remove \(Self.address)", "remove \(Self.address)"]
        #expect(hubs.changes == calls)
    }

    @Test("A node that connects with no hubs says so, and how it would")
    func refused() async throws {
        let node = try await ChatNode.alice()
        func expect(_ words: String) async throws {
            let list = try await node.answer("hubs", access: .page)
            #expect(list.contains(#""changeable":false"#) && list.contains(words), "\(list)")
            let link = try await Self.link().text
            let calls = [
                ("hubs.add", #"{"address":"tls://a"}"#), ("hubs.remove", #"{"address":"tls://a"}"#),
                ("follow", #"{"link":"\#(link)","addHubs":true}"#), ("follow", #"{"link":"\#(link)"}"#),
            ]
            for (method, parameters) in calls {
                let answer = try await node.answer(method, parameters, access: .page)
                #expect(answer.contains("-32010") && answer.contains(#""code":"noHubs""#), "\(answer)")
                #expect(answer.contains(words), "\(answer)")
            }
        }
        try await expect("Run `earshot web` or `earshot node` instead.")
        await node.setHubs(HubControl(reports: { [] }, metrics: { [] }, reload: nil, begin: {}, leave: {}))
        try await expect("Start it without --no-hub to use hubs.")
    }

    @Test("A link with a hub that the node lacks changes nothing before the user agrees")
    func asks() async throws {
        let (node, hubs) = (try await ChatNode.alice(), StubHubs())
        await node.setHubs(hubs.control)
        let (link, id) = try await Self.link()
        let made = try await node.account.read { $0.invites.all.count }
        let asked = try await node.answer("follow", #"{"link":"\#(link)"}"#, access: .page)
        #expect(asked.isResult(#"{"id":"\#(id)","missing":["tls://hub.example.org"]}"#), "\(asked)")
        #expect(hubs.changes == [])
        #expect(try await node.account.read { $0.invites.all.count } == made)
        let agreed = try await node.answer("follow", #"{"link":"\#(link)","addHubs":true}"#, access: .page)
        #expect(agreed.isResult(#"{"id":"\#(id)","missing":[]}"#), "\(agreed)")
        #expect(hubs.changes == ["add \(Self.address)"])
        #expect(try await node.account.read { $0.invites.all.count } == made + 1)
    }

    @Test("A link is followed at once if the node has its hub, if it names none, and if the user does without")
    func follows() async throws {
        for (known, named, flag) in [
            ([Self.address], [Self.address], ""), ([], [], ""), ([], [Self.address], #","addHubs":false"#),
        ] {
            let (node, hubs) = (try await ChatNode.alice(), StubHubs(known))
            await node.setHubs(hubs.control)
            let (link, id) = try await Self.link(hubs: named)
            let answer = try await node.answer("follow", #"{"link":"\#(link)"\#(flag)}"#, access: .page)
            #expect(answer.isResult(#"{"id":"\#(id)","missing":[]}"#), "\(answer)")
            #expect(hubs.changes == [])
            #expect(try await node.account.read { $0.invites.all.count } == 1)
        }
    }

    @Test("The hub of a link that has ended, or of the own one, is not added")
    func ended() async throws {
        let (node, hubs) = (try await ChatNode.alice(), StubHubs())
        await node.setHubs(hubs.control)
        let past = try #require(MailboxToken(bytes: [UInt8](repeating: 1, count: MailboxToken.byteCount), day: 1))
        let old = IdentityCode(of: try Samples.bob(), past, hubs: [Self.address]).text
        let expired = try await node.answer("follow", #"{"link":"\#(old)","addHubs":true}"#)
        #expect(expired.contains("-32008") && expired.contains("Ask for a new one."), "\(expired)")
        let own = try await node.identity.invite()
        let token = try #require(own.token)
        let link = IdentityCode(of: own.id, token, hubs: [Self.address]).text
        #expect(try await node.answer("follow", #"{"link":"\#(link)","addHubs":true}"#).contains("-32001"))
        #expect(hubs.changes == [])
    }
}
