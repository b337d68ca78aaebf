import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Search of a node")
struct NodeSearchTests {
    private func texts(_ node: ChatNode, _ query: String) async throws -> [String] {
        try await node.history.search(SearchQuery(query)).hits.map(\.message.text)
    }

    @Test("Messages of groups and rooms are found as they stand, after a restart too, and never on the disk")
    func follows() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory))
        let bob = try await LiveNode("Bob", mesh)
        let node = alice.node
        var found: ConversationID?
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let group = try await node.conversations.createGroup(title: "Trees", members: [bobID]).id
            found = .group(group)
            for text in ["the old oak", "a young oak", "an ash"] {
                try await node.conversation(.group(group)).send(text)
            }
            #expect(try await node.history.searchProgress().isComplete == false)
            #expect(try await texts(node, "oak") == ["a young oak", "the old oak"])
            let last = try await node.conversation(.direct(bobID)).send("one more oak")
            #expect(try await texts(node, "oak").first == "one more oak")
            try await node.conversations.holding(last.id).edit(last.id, to: "one more elm")
            #expect(try await texts(node, "oak").count == 2)
            let hit = try #require(try await node.history.search(SearchQuery("elm")).hits.first)
            #expect(hit.places == [9..<12] && hit.message.earlierTexts.map(\.text) == ["one more oak"])
            try await node.conversations.holding(last.id).delete(last.id, forEveryone: true)
            #expect(try await texts(node, "elm") == [])
            try await searchRoom(node, bob.node)
        }
        try await home.open { node in
            #expect(try await texts(node, "oak") == ["a young oak", "the old oak"])
            guard case .group(let group) = found else { return }
            try await node.conversation(.group(group)).ask(Poll("Which tree?", options: ["oak", "ash"]))
            var query = SearchQuery("")
            query.kind = .poll
            #expect(try await node.history.search(query).hits.map(\.message.poll?.poll.question) == ["Which tree?"])
            query = SearchQuery("oak", limit: 1)
            #expect(try await node.history.search(query).hits.first?.message.kind == .poll)
            await node.history.wipeSearch()
            #expect(try await texts(node, "ash").count == 2)
            let progress = try await node.history.searchProgress()
            #expect(progress.isComplete && progress.unsearchedCount == 0)
            #expect(progress.indexedCount == progress.messageCount && progress.indexedCount >= 4)
        }
        #expect(try home.files(containing: "old oak".utf8) == [])
    }

    private func searchRoom(_ node: ChatNode, _ guest: ChatNode) async throws {
        let made = try await node.rooms.create(RoomPlan(title: "Birds", nickname: "Owl"))
        _ = try await guest.rooms.join(try #require(JoinCredential(made.admissionState?.code ?? "")))
        try await node.conversation(.room(made.id)).send("an owl in the oak")
        #expect(try await texts(node, "oak").first == "an owl in the oak")
        var query = SearchQuery("oak")
        query.conversation = .room(made.id)
        #expect(try await node.history.search(query).hits.map(\.message.text) == ["an owl in the oak"])
        try await node.rooms.leave(made.id)
        #expect(try await texts(node, "owl") == [])
    }

    @Test("A search is refused that says nothing, too much, or comes too late")
    func refusals() async throws {
        let node = try await LiveNode("Alice", MeshOptions()).node
        #expect(await code { try await node.history.search(SearchQuery(" ")) } == .empty)
        #expect(await code { try await node.history.search(SearchQuery("?!")) } == .empty)
        #expect(await code { try await node.history.search(SearchQuery("a", limit: 0)) } == .badCount)
        #expect(await code { try await node.history.search(SearchQuery("a", limit: 1_001)) } == .badCount)
        var query = SearchQuery("")
        query.before = .distantFuture
        #expect(try await node.history.search(query).hits == [])
        await node.stop()
        #expect(await code { try await node.history.search(SearchQuery("a")) } == .stopped)
    }

    @Test("Times, senders and pages of a long conversation are kept apart")
    func filters() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            for number in 1...300 { try await alice.node.conversation(.direct(bobID)).send("leaf \(number)") }
            try await find(alice.node)
        }
    }

    private func find(_ node: ChatNode) async throws {
        // The messages that the search index has read are in the first answer. The others follow.
        let early = try await node.history.search(SearchQuery("leaf", limit: 1_000), waits: false)
        #expect(early.hits.count <= 300)
        let all = try await node.history.search(SearchQuery("leaf", limit: 1_000)).hits.map(\.message)
        #expect(Set(all.map(\.text)) == Set((1...300).map { "leaf \($0)" }))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.receivedAt >= $1.receivedAt })
        #expect(try await texts(node, "leaf 300") == ["leaf 300"])
        var query = SearchQuery("leaf")
        query.after = all[9].receivedAt
        query.before = all[9].receivedAt
        #expect(try await node.history.search(query).hits == [])
        query.before = nil
        query.limit = 1_000
        // The test compares ids, because the status of a message changes.
        let later = all.filter { $0.receivedAt >= all[9].receivedAt }
        #expect(try await node.history.search(query).hits.map(\.message.id) == later.map(\.id))
        query = SearchQuery("leaf")
        query.sender = all[0].sender
        #expect(try await node.history.search(query).hits.count == 50)
        query.sender = PeerID(bytes: [UInt8](repeating: 1, count: 32))
        #expect(try await node.history.search(query).hits == [])
    }

    @Test("Of more than memory holds the oldest is told to be unsearched, and found in its own conversation")
    func limit() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let alice = try await LiveNode("Alice", mesh, searchByteCount: 3 * SearchLimits.segmentByteCount)
        let bob = try await LiveNode("Bob", mesh)
        let node = alice.node
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let filler = String(repeating: " x", count: 7_000)
            for number in 1...200 { try await node.conversation(.direct(bobID)).send("leaf\(number)" + filler) }
            // The index reads the newest messages first. Messages that come later replace the oldest.
            #expect(try await node.history.search(SearchQuery("leaf200 ")).hits.count == 1)
            #expect(try await node.history.searchProgress().unsearchedCount > 0)
            for number in 201...300 { try await node.conversation(.direct(bobID)).send("leaf\(number)" + filler) }
            let result = try await node.history.search(SearchQuery("leaf*", limit: 1_000))
            #expect(result.progress.unsearchedCount > 0)
            #expect(result.hits.count == 300 - result.progress.unsearchedCount)
            #expect(try await node.history.search(SearchQuery("leaf1 ")).hits == [])
            #expect(try await node.history.search(SearchQuery("leaf300 ")).hits.count == 1)
            var query = SearchQuery("leaf1 ")
            query.conversation = .direct(bobID)
            #expect(try await node.history.search(query).hits.count == 1)
        }
    }

    private func code(_ body: () async throws -> SearchResult) async -> ChatError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ChatError)?.code
        }
    }
}
