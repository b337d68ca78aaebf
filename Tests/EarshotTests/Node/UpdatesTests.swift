import ChatCrypto
import Earshot
import Testing

@testable import ChatCore

@Suite("Updates of handles", .timeLimit(.minutes(30)))
struct UpdatesTests {
    @Test("A list of conversations begins with the present one and follows messages, reads and pins")
    func conversations() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let group = try await node.conversations.createGroup(title: "Trees").id
        let handle = node.conversation(.group(group))
        var lists = node.conversations.updates.makeAsyncIterator()
        #expect(try await lists.next()?.map(\.title) == ["Trees"])
        try await handle.setPinned(true)
        #expect(try await lists.next()?.map(\.isPinned) == [true])
        let other = try await node.conversations.createGroup(title: "Flowers").id
        #expect(try await lists.next()?.map(\.title) == ["Trees", "Flowers"])
        try await node.conversation(.group(other)).mute()
        #expect(try await lists.next()?.last?.mutedUntil != nil)
        await node.stop()
        #expect(try await lists.next() == nil)
    }

    @Test("Many changes at once give one value, the newest, and no value twice")
    func coalescing() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let bob = try await node.meetOnPaper("Bob")
        let handle = node.conversation(.direct(bob))
        var windows = handle.messages().makeAsyncIterator()
        #expect(try await windows.next()?.messages == [])
        for number in 1...20 { try await handle.send("\(number)") }
        #expect(try await windows.next()?.messages.map(\.text) == (1...20).map(String.init))
        try await handle.setDraft("not shown")
        try await handle.send("last")
        #expect(try await windows.next()?.messages.last?.text == "last")
        await node.stop()
        #expect(try await windows.next() == nil)
    }

    @Test("A window grows by pages to the beginning, moves at its limit, and follows the newest message again")
    func window() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let bob = try await node.meetOnPaper("Bob")
        let handle = node.conversation(.direct(bob))
        for number in 1...9 { try await handle.send("\(number)") }
        let window = handle.messages(pageSize: 4)
        var windows = window.makeAsyncIterator()
        let first = try #require(try await windows.next())
        #expect(first.messages.map(\.text) == ["6", "7", "8", "9"] && first.hasEarlier && !first.hasLater)
        window.loadEarlier()
        #expect(try await windows.next()?.messages.count == 8)
        window.loadEarlier()
        let whole = try #require(try await windows.next())
        #expect(whole.messages.count == 9 && !whole.hasEarlier)
        var around = handle.messages(pageSize: 3, around: whole.messages[4].id).makeAsyncIterator()
        let middle = try #require(try await around.next())
        #expect(middle.messages.contains { $0.text == "5" } && middle.hasEarlier && middle.hasLater)
        await node.stop()
    }

    @Test("A window at its limit moves back and forth instead of growing")
    func windowLimit() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let handle = node.conversation(.direct(try await node.meetOnPaper("Bob")))
        for number in 1...MessageWindow.sizeLimit + 3 { try await handle.send("\(number)") }
        let window = handle.messages(pageSize: 2 * MessageWindow.sizeLimit)
        var windows = window.makeAsyncIterator()
        let newest = try #require(try await windows.next())
        #expect(newest.messages.count == MessageWindow.sizeLimit && newest.countBefore == 3 && !newest.hasLater)
        window.loadEarlier()
        let oldest = try #require(try await windows.next())
        #expect(oldest.messages.count <= MessageWindow.sizeLimit && !oldest.hasEarlier && oldest.hasLater)
        #expect(oldest.messages.first?.text == "1")
        window.loadLater()
        #expect(try await windows.next() == newest)
        await node.stop()
    }

    @Test("Statuses begin with the present one and end with a failed one; a message of another conversation is none")
    func statuses() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let (bob, carol) = (try await node.meetOnPaper("Bob"), try await node.meetOnPaper("Carol"))
        let message = try await node.conversation(.direct(bob)).send("Hello").id
        var statuses = node.conversation(.direct(bob)).statuses(of: message).makeAsyncIterator()
        #expect(try await statuses.next() == .queued)
        let other = node.conversation(.direct(carol))
        await #expect(throws: ChatError.self) { try await other.cancel(message) }
        await #expect(throws: ChatError.self) { try await other.edit(message, to: "x") }
        #expect(try await other.message(message) == nil)
        var none = other.statuses(of: message).makeAsyncIterator()
        await #expect(throws: ChatError.self) { try await none.next(isolation: nil) }
        try await node.conversation(.direct(bob)).cancel(message)
        #expect(try await statuses.next() == .failed(.cancelled))
        #expect(try await statuses.next() == nil)
        #expect(try await node.conversations.message(message)?.status == .failed(.cancelled))
        await node.stop()
    }

    @Test("Sequences wait while the node is locked, and go on when it is unlocked")
    func locking() async throws {
        let home = try TestHome()
        let place = Home.directory(home.directory, key: .passphrase("horse"))
        var settings = ChatConfiguration()
        settings.passphraseCost = .small
        let node = try await ChatNode.create(name: "Alice", in: place, settings)
        var lists = node.conversations.updates.makeAsyncIterator()
        var states = node.states.makeAsyncIterator()
        #expect(try await lists.next() == [])
        #expect(try await states.next() == .ready)
        try await node.lock()
        #expect(try await states.next() == .locked)
        #expect(node.identity.nickname == "Alice")
        let error = await #expect(throws: ChatError.self) { try await node.contacts.all() }
        #expect(error?.code == .locked)
        try await node.unlock(.passphrase("horse"))
        #expect(try await states.next() == .ready)
        try await node.conversations.createGroup(title: "Trees")
        #expect(try await lists.next()?.map(\.title) == ["Trees"])
        await node.stop()
        #expect(try await states.next() == nil)
    }

    @Test("A suspended node leaves its home to others, and goes on with all sequences after the next start")
    func suspending() async throws {
        let (home, mesh) = (try TestHome(), MeshOptions.loopback([MeshOptions.randomGroup()]))
        let place = Home.directory(home.directory, key: .passphrase("horse"))
        var settings = ChatConfiguration(mesh: mesh)
        settings.passphraseCost = .small
        let node = try await ChatNode.create(name: "Alice", in: place, settings)
        let bob = try await LiveNode("Bob", mesh)
        try await node.start()
        try await bob.node.start()
        let alice = try await bob.meets("Alice")
        var lists = node.conversations.updates.makeAsyncIterator()
        #expect(try await lists.next() == [])
        try await node.suspend()
        let error = await #expect(throws: ChatError.self) { try await node.conversations.all() }
        #expect(error?.code == .suspended)
        let other = try await ChatNode.open(place, settings)
        await #expect(throws: ChatError.self) { try await node.start() }
        await other.stop()
        let message = try await bob.node.conversation(.direct(alice)).send("while you were away")
        try await node.start()
        #expect(try await lists.next()?.first?.last?.id == message.id)
        #expect(node.identity.id == alice)
        await node.stop()
        await bob.node.stop()
    }

    @Test("A key that the application keeps opens the home, and no other key or passphrase does")
    func providedKey() async throws {
        let home = try TestHome()
        let key = SecretBytes.random(count: 32)
        let id = try await ChatNode.create(name: "Alice", in: .directory(home.directory, key: .provided(key)))
        let own = id.identity.id
        await id.stop()
        #expect(try home.files()["key.bin"] == nil)
        for wrong in [Home.Key.keyFile, .passphrase("horse"), .provided(.random(count: 32))] {
            let error = await #expect(throws: ChatError.self) {
                try await ChatNode.open(.directory(home.directory, key: wrong))
            }
            #expect(error?.code == .locked)
        }
        let short = await #expect(throws: ChatError.self) {
            try await ChatNode.create(
                name: "Bob",
                in: .directory(home.file("other"), key: .provided(.random(count: 31)))
            )
        }
        #expect(short?.code == .badPassphrase)
        let again = try await ChatNode.open(.directory(home.directory, key: .provided(key)))
        #expect(again.identity.id == own)
        try await again.changeKey(from: .provided(key), to: .keyFile)
        await again.stop()
        #expect(try await home.open { await $0.status.id } == own)
    }

    @Test("An identity is created only where there is none, also under a passphrase")
    func creating() async throws {
        let home = try TestHome()
        let place = Home.directory(home.directory, key: .passphrase("horse"))
        try await ChatNode.create(name: "Alice", in: place).stop()
        let before = try home.files()["vault.bin"]
        for other in [place, .directory(home.directory), .directory(home.directory, key: .passphrase("cow"))] {
            let error = await #expect(throws: ChatError.self) { try await ChatNode.create(name: "Bob", in: other) }
            #expect(error?.code == .alreadyInitialised)
        }
        #expect(try home.files()["vault.bin"] == before)
        #expect(try await home.open(passphrase: "horse") { $0.identity.nickname } == "Alice")
    }

    @Test("A rotation and a new nickname are seen at once without asking the node")
    func identity() async throws {
        let node = try await ChatNode.create(name: "Alice")
        try await node.identity.setNickname("Alicia")
        #expect(node.identity.nickname == "Alicia")
        let (old, fingerprint) = (node.identity.id, node.identity.fingerprint)
        let new = try await node.identity.rotate()
        #expect(node.identity.id == new && new != old && node.identity.fingerprint != fingerprint)
        await node.stop()
    }
}
