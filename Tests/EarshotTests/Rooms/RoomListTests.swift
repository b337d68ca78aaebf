import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Lists of rooms")
struct RoomListTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func entry(_ number: Int, lasting seconds: Double? = 60) throws -> RoomEntry {
        try RoomEntry(
            id: try #require(GroupID(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) })),
            title: "Room \(number)",
            nickname: "Fox",
            admission: number.isMultiple(of: 2) ? .approval : nil,
            maximumMembers: 2 + number % 127,
            endsAt: seconds.map { now.addingTimeInterval($0) }
        )
    }

    @Test("A list takes what is new and not over, up to its limit, and nothing of what goes above it")
    func limits() throws {
        var list = FormerRooms()
        let all = try (0...RoomRules.listCount).map { try Self.entry($0) }
        let own = Set([all[0].id])
        let passedOver = [all[0], all[1], all[1], try Self.entry(9, lasting: 0)]
        #expect(try list.add(passedOver, except: own, at: Self.now) == [all[1]])
        #expect(throws: ChatError.self) { try list.add(all, except: [], at: Self.now) }
        #expect(list.entries == [all[1]])
        #expect(try list.add(all, except: own, at: Self.now).count == RoomRules.listCount - 1)
        #expect(list.entries.count == RoomRules.listCount)
        #expect(throws: ChatError.self) { try list.add([all[0]], except: [], at: Self.now) }
        #expect(list.remove(all[7].id) && !list.remove(all[7].id))
        #expect(try list.add([all[0]], except: [], at: Self.now) == [all[0]])
    }

    @Test(
        "What is over goes, what would last longer than any room does not come, and an end is kept to the millisecond"
    )
    func ends() throws {
        var list = FormerRooms()
        let longest = try Self.entry(1, lasting: Double(RoomRules.longestLife))
        let (endless, short) = (try Self.entry(2, lasting: nil), try Self.entry(3, lasting: 1.5))
        #expect(throws: ChatError.self) {
            try list.add([try Self.entry(4, lasting: Double(RoomRules.longestLife) + 1)], except: [], at: Self.now)
        }
        try #expect(list.add([longest, endless, short], except: [], at: Self.now).count == 3)
        let restored = FormerRooms(restoring: list.entries.map(\.record), at: Self.now)
        #expect(restored.entries == list.entries)
        #expect(list.expire(at: Self.now.addingTimeInterval(1.4)) == [])
        #expect(list.expire(at: Self.now.addingTimeInterval(1.5)) == [short.id])
        #expect(FormerRooms(restoring: list.entries.map(\.record), at: .distantFuture).entries == [endless])
    }

    @Test("An entry has the bounds of a room, whoever wrote it")
    func entries() throws {
        let id = try Self.entry(1).id
        func code(_ title: String, _ name: String, _ count: Int) -> ChatError.Code? {
            do throws(ChatError) {
                _ = try RoomEntry(
                    id: id,
                    title: title,
                    nickname: name,
                    admission: nil,
                    maximumMembers: count,
                    endsAt: nil
                )
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(String(repeating: "x", count: 128), "n", 128) == nil)
        for title in ["", " ", "a\u{202E}b", "a\nb", String(repeating: "x", count: 129)] {
            #expect(code(title, "n", 2) == .badName)
        }
        for name in ["", "\u{7}", String(repeating: "x", count: 33)] { #expect(code("t", name, 2) == .badName) }
        for count in [Int.min, 1, GroupLimits.maximumMembers + 1, Int.max] {
            #expect(code("t", "n", count) == .badCount)
        }
    }

    @Test(
        "A list goes from one node to another, outlives restarts, and a room leaves it by being joined, left, or over"
    )
    func node() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let hanna = try await LiveNode("Hanna", mesh)
        let ben = try await LiveNode("Ben", mesh, home: .directory(home.directory))
        var list: [RoomEntry] = []
        try await withRunning(hanna, ben) {
            let trees = try await hanna.node.rooms.create(RoomPlan(title: "Trees", admission: .code, maximumMembers: 9))
            for title in ["Oaks", "Elms"] { try await hanna.node.rooms.create(RoomPlan(title: title)) }
            try await hanna.node.rooms.create(RoomPlan(title: "Breath", isEphemeral: true))
            list = try await hanna.node.rooms.list()
            #expect(list.map(\.title) == ["Trees", "Oaks", "Elms"] && list[0].maximumMembers == 9)
            #expect(list[0].admission == .code && list[0].endsAt != nil)
            #expect(try await ben.node.rooms.importList(list) == list)
            for node in [ben, hanna] { #expect(try await node.node.rooms.importList(list) == []) }
            #expect(try await ben.node.rooms.all() == [])
            #expect(try await ben.node.rooms.list() == [list[2], list[1], list[0]])
            #expect(try await ben.node.rooms.formerNamed("Oaks").id == list[1].id)
            try await ben.node.rooms.join(try #require(JoinCredential(trees.admissionState?.code ?? "")))
            #expect(try await ben.node.rooms.former().map(\.title) == ["Elms", "Oaks"])
            try await ben.node.rooms.leave(list[1].id)
            await #expect(throws: ChatError.self) { try await ben.node.rooms.leave(list[1].id) }
        }
        try await home.open { node in
            let (former, all) = (try await node.rooms.former(), try await node.rooms.list())
            #expect(former == [list[2]] && all.map(\.title) == ["Trees", "Elms"])
        }
        #expect(try home.files(containing: Array("Elms".utf8)) == [])
        let later = try await home.open(clockError: .seconds(86_401)) { try await $0.rooms.former() }
        #expect(later == [])
        #expect(try await home.open { try await $0.rooms.former() } == [])
    }
}
