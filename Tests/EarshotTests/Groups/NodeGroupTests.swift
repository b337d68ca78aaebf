import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Groups of nodes on this machine")
struct NodeGroupTests {
    @Test("A group founded through the library talks, outlives a restart, and ends for who is put out")
    func library() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let alice = try await LiveNode("Alice Liddell", mesh)
        let bob = try await LiveNode("Bob Cratchit", mesh, home: .directory(home.directory))
        let carol = try await LiveNode("Carol Kennicott", mesh)
        try await withRunning(alice, bob, carol) {
            let peers = try await alice.meetsAll(["Bob Cratchit", "Carol Kennicott"])
            for node in [bob, carol] {
                let owner = try await node.meetsAll(["Alice Liddell"])[0]
                try await node.node.trust(owner, .accept)
            }
            let group = try await alice.node.createGroup(title: "Trees", members: peers)
            for node in [bob, carol] { try await node.happens(.joined, in: group.id) }
            let message = try await bob.node.send("hello, trees", to: .group(group.id))
            #expect(await bob.statuses(of: message).last == .delivered)
            #expect(try await Set(bob.node.deliveries(of: message.id).map(\.status)) == [.delivered])
            #expect(try await carol.receives().text == "hello, trees")
            await bob.node.stop()
            try await alice.node.send("while Bob was off", to: .group(group.id))

            let again = try await LiveNode("another name", mesh, home: .directory(home.directory))
            #expect(try await again.node.group(named: "Trees").members.count == 3)
            #expect(
                try await again.node.history(.group(group.id)).filter { !$0.isGroupLine }.map(\.text) == [
                    "hello, trees"
                ]
            )
            try await withRunning(again) {
                #expect(try await again.receives().text == "while Bob was off")
                let listed = try await again.node.conversations().first { $0.id == .group(group.id) }
                #expect(listed?.title == "Trees" && listed?.unreadCount == 1)
                try await alice.node.remove(peers[0], from: group.id)
                try await again.happens(.ended, in: group.id)
                await #expect(throws: ChatError.self) { try await again.node.send("still here?", to: .group(group.id)) }
            }
        }
    }

    @Test("An owner that was started again changes its group once a member has answered")
    func ownerStartedAgain() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let alice = try await LiveNode("Alice Liddell", mesh, home: .directory(home.directory))
        let bob = try await LiveNode("Bob Cratchit", mesh)
        try await withRunning(alice, bob) {
            let peers = try await alice.meetsAll(["Bob Cratchit"])
            try await bob.node.trust(try await bob.meetsAll(["Alice Liddell"])[0], .accept)
            let group = try await alice.node.createGroup(title: "Trees", members: peers)
            try await bob.happens(.joined, in: group.id)
            await alice.node.stop()
            let again = try await LiveNode("another name", mesh, home: .directory(home.directory))
            try await withRunning(again) {
                #expect(try await again.node.rename(group.id, to: "Forest").title == "Forest")
                try await bob.happens(.renamed("Forest"), in: group.id)
            }
        }
    }

    @Test("What a group refuses through the library has its code, and changes nothing")
    func refusals() async throws {
        let node = try ChatNode(ChatConfiguration(name: "Alice"))
        let group = try await node.createGroup(title: "Alone")
        #expect(try await node.groups() == [group])
        #expect(group.standing == .member && group.members.map(\.name) == ["Alice"])
        await #expect(throws: ChatError.self) { try await node.createGroup(title: "") }
        await #expect(throws: ChatError.self) { try await node.group(named: "Nobody's") }
        await #expect(throws: ChatError.self) { try await node.send("x", to: .group(group.id)) }
        await #expect(throws: ChatError.self) { try await node.answerInvitation(to: group.id, accepts: false) }
        let left = try await node.leave(group.id)
        #expect(left.standing == .out)
        await #expect(throws: ChatError.self) { try await node.rename(group.id, to: "Mine") }
        await node.stop()
    }
}

extension LiveNode {
    /// Waits until peers of these names are known.
    ///
    /// Returns their ids in the same order.
    func meetsAll(_ names: [String]) async throws -> [PeerID] {
        var known: [String: PeerID] = [:]
        for contact in await node.contacts() { known[contact.name] = contact.id }
        while !names.allSatisfy({ known[$0] != nil }) {
            let contact = try await first { event in
                if case .contact(let contact) = event { contact } else { nil }
            }
            known[contact.name] = contact.id
        }
        return names.compactMap { known[$0] }
    }

    /// Waits until something happens in a group.
    func happens(_ wanted: GroupEvent, in group: GroupID) async throws {
        _ = try await first { event in event == .group(group, wanted) ? true : nil }
    }
}
