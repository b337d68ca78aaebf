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
                try await node.node.contacts.decide(.accept, about: owner)
            }
            let group = try await alice.node.conversations.createGroup(title: "Trees", members: peers)
            for node in [bob, carol] { try await node.happens(.joined, in: group.id) }
            let message = try await bob.node.conversation(.group(group.id)).send("hello, trees")
            #expect(try await bob.statuses(of: message).last == .delivered)
            #expect(
                try await Set(
                    bob.node.conversations.holding(message.id).presentDeliveries(of: message.id).map(\.status)
                ) == [.delivered]
            )
            #expect(try await carol.receives().text == "hello, trees")
            await bob.node.stop()
            try await alice.node.conversation(.group(group.id)).send("while Bob was off")

            let again = try await LiveNode("another name", mesh, home: .directory(home.directory))
            #expect(try await again.node.conversations.group(named: "Trees").members.count == 3)
            #expect(
                try await again.node.conversation(.group(group.id)).history().filter { !$0.isGroupLine }.map(\.text)
                    == [
                        "hello, trees"
                    ]
            )
            try await withRunning(again) {
                #expect(try await again.receives().text == "while Bob was off")
                let listed = try await again.node.conversations.all().first { $0.id == .group(group.id) }
                #expect(listed?.title == "Trees" && listed?.unreadCount == 1)
                try await alice.node.group(group.id).remove(peers[0])
                try await again.happens(.ended, in: group.id)
                await #expect(throws: ChatError.self) {
                    try await again.node.conversation(.group(group.id)).send("still here?")
                }
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
            try await bob.node.contacts.decide(.accept, about: try await bob.meetsAll(["Alice Liddell"])[0])
            let group = try await alice.node.conversations.createGroup(title: "Trees", members: peers)
            try await bob.happens(.joined, in: group.id)
            await alice.node.stop()
            let again = try await LiveNode("another name", mesh, home: .directory(home.directory))
            try await withRunning(again) {
                #expect(try await again.node.group(group.id).rename(to: "Forest").title == "Forest")
                try await bob.happens(.renamed("Forest"), in: group.id)
            }
        }
    }

    @Test("What a group refuses through the library has its code, and changes nothing")
    func refusals() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let group = try await node.conversations.createGroup(title: "Alone")
        #expect(try await node.conversations.groups() == [group])
        #expect(group.membershipStatus == .member && group.members.map(\.name) == ["Alice"])
        await #expect(throws: ChatError.self) { try await node.conversations.createGroup(title: "") }
        await #expect(throws: ChatError.self) { try await node.conversations.group(named: "Nobody's") }
        await #expect(throws: ChatError.self) { try await node.conversation(.group(group.id)).send("x") }
        await #expect(throws: ChatError.self) { try await node.group(group.id).answerInvitation(accepts: false) }
        let left = try await node.group(group.id).leave()
        #expect(left.membershipStatus == .out)
        await #expect(throws: ChatError.self) { try await node.group(group.id).rename(to: "Mine") }
        await node.stop()
    }
}

extension LiveNode {
    /// Waits until something happens in a group.
    func happens(_ wanted: GroupEvent, in group: GroupID) async throws {
        _ = try await first { event in event == .group(group, wanted) ? true : nil }
    }
}
