import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Notices of groups")
struct GroupNoticeTests {
    @Test("A message to a group is one, of who is named in it a mention, and what was looked at is nothing")
    func kinds() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let message = try scene.say("Where is @Bob?", by: 0, in: group)
        scene.world.run(for: 5_000)
        let bob = try #require(try scene.notice(group, at: 1))
        #expect(bob.kind == .mention && bob.groupTitle == "Trees" && bob.senderName == "Alice")
        #expect(bob.conversation == .group(group) && bob.text == "Where is @Bob?" && bob.mutedUntil == nil)
        #expect(try scene.notice(group, at: 2)?.kind == .group)
        #expect(try scene.notice(group, at: 0) == nil)
        scene.world[1].forgetEvents()
        try scene.world.step(1) { try $0.markRead(.group(group)) }
        #expect(try scene.notice(group, at: 1) == nil)
        // The front end receives an event that the notice is to be removed.
        let told = scene.world[1].events.compactMap { event in
            if case .conversation(let conversation) = event { conversation } else { nil }
        }
        #expect(told.map(\.id) == [.group(group)] && told.map(\.unreadCount) == [0])
        #expect(told.first?.last?.id == message)
    }

    @Test("A group is muted until its end, over a restart, and one that is not known cannot be")
    func muting() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1])
        let end = scene.world.now.date + 60
        let unknown = try #require(GroupID(bytes: [UInt8](repeating: 7, count: 16)))
        #expect(refusal { try scene.mute(unknown, until: end, at: 1) } == .notFound)
        try scene.mute(group, until: end, at: 1)
        #expect(try scene.conversation(group, at: 1)?.mutedUntil == end)
        try scene.world.restart(1)
        try scene.say("hello", by: 0, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.notice(group, at: 1)?.mutedUntil == end)
        #expect(try scene.notice(group, at: 1)?.isMuted == true)
        scene.world.run(for: 60_000)
        #expect(try scene.conversation(group, at: 1)?.mutedUntil == nil)
    }
}

extension GroupScene {
    /// Returns the facts that the notification policy gets about the newest message of a group.
    fileprivate func notice(_ group: GroupID, at index: Int) throws -> NoticeFacts? {
        try messages(group, of: index).last.flatMap { world[index].engine.noticeFacts(of: $0) }
    }

    fileprivate func mute(_ group: GroupID, until end: Date, at index: Int) throws {
        try world.step(index) { _ = try $0.mute(.group(group), until: Timestamp(end)) }
    }

    fileprivate func conversation(_ group: GroupID, at index: Int) throws -> Conversation? {
        try world[index].read(at: world.now) { engine in
            try engine.conversationList().first { $0.id == .group(group) }
        }
    }
}
