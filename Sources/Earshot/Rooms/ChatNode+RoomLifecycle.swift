import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore
import MeshTransport

/// The rooms of a node: each has an account of its own that shares the mesh.
extension ChatNode {
    /// Returns the account of a room.
    func account(ofRoom room: GroupID) async throws(ChatError) -> Account {
        guard let number = registry.number(of: room), let account = registry[number]?.account else { throw Self.noRoom }
        guard await account.roomView() != nil else {
            await endRoom(number, .expired)
            throw Self.roomOver
        }
        return account
    }

    /// Returns the newest beacon of each host that the mesh holds.
    func beacons() async -> [RoomBeacon] {
        let own = registry.ids
        var newest: [RoomBeacon] = []
        for envelope in await mesh.storedEnvelopes(.room, startingWith: [[0]]) {
            guard let beacon = try? RoomBeacon(verifying: envelope.body), !own.contains(beacon.room) else { continue }
            let known = newest.firstIndex { $0.room == beacon.room && $0.host == beacon.host }
            if let known {
                if beacon.supersedes(newest[known]) { newest[known] = beacon }
            } else {
                newest.append(beacon)
            }
        }
        return newest
    }

    /// Returns the accounts that may hold a message: the one that reported it lately, or the home's and those of all
    /// rooms, of which there are ``RoomRules/roomCount`` at most.
    func accounts(holding message: MessageID) throws(ChatError) -> [Account] {
        try checkRunning()
        if let room = registry.account(ofRecent: message) { return [room] }
        return [account] + registry.accounts
    }

    /// Returns all conversations: the pinned ones first; in both parts rooms first, then the most recently changed.
    func conversationList() async throws(ChatError) -> [Conversation] {
        try checkRunning()
        var all: [Conversation] = []
        for room in registry.accounts {
            guard let id = await room.roomView()?.id else { continue }
            // A room that ends meanwhile is not listed.
            let own = try? await room.read { engine in try engine.conversationList() }
            all += (own ?? []).filter { $0.id == .room(id) }
        }
        all += try await account.read { engine in try engine.conversationList() }
        return all.filter(\.isPinned) + all.filter { !$0.isPinned }
    }

    // MARK: - Opening

    /// Opens an account for a room that is not known yet; returns its number.
    func openRoom(as nickname: String?, in folder: RoomFolder?) async throws(ChatError) -> Int {
        let usual = await account.nickname
        try checkRunning()
        guard !configuration.mesh.isRelayOnly else {
            throw ChatError(.meshUnavailable, "A node that only relays has no conversations.")
        }
        guard registry.open.count < RoomRules.roomCount else {
            throw ChatError(.limited, "A node can be in at most \(RoomRules.roomCount) rooms. Leave one first.")
        }
        let name = try NodeOpening.nickname(nickname ?? usual)
        let key = MasterKey()
        let opening = try NodeOpening(making: name, for: RoomState(), with: key, in: folder, at: configuration.time)
        let number = registry.add(OpenRoom(opening, configuration, mesh, mediaQuota, key: key, folder: folder, id: nil))
        takeOutputs(of: number)
        return number
    }

    private func takeOutputs(of number: Int) {
        guard let relay = registry[number]?.relay, registry[number]?.task == nil else { return }
        registry[number]?.task = Task { [weak self, environment] in
            for await output in relay.outputs {
                relay.taken(output)
                await self?.take(output, of: number)
                environment.workEnded()
            }
        }
    }

    /// Starts the rooms that the home keeps.
    func startRooms() async {
        for number in registry.numbers {
            takeOutputs(of: number)
            do {
                try await registry[number]?.account.start()
            } catch {
                await registry[number]?.account.end(because: error)
                await account.report(error)
            }
        }
    }

    /// Closes all rooms; rooms on the disk go on at the next start.
    func stopRooms() async {
        for number in registry.numbers {
            registry[number]?.entering?.finish()
            await registry[number]?.account.stop(because: Self.stopped)
        }
    }

    /// Passes on what the mesh reports, because every envelope may be for any room.
    func passToRooms(_ batch: MeshBatch) async {
        // Envelopes that a room's store refuses are found again at the next start.
        for number in registry.numbers {
            guard let account = registry[number]?.account else { continue }
            // This runs in a task of its own, whose memory goes with it: the node's own loop must keep nothing of a
            // room.
            await Task { _ = await account.take(batch) }.value
        }
    }

    /// Stores the record that opens a room; without it a room on the disk cannot be found again.
    func saveRoom(_ number: Int) async throws(ChatError) {
        guard let open = registry[number], let id = open.id, let folder = open.folder else { return }
        let left = await open.account.roomTimeLeft()
        let admission = await open.account.roomView()?.admission
        try await account.transact { engine in
            var record = engine.records.record(of: id, open.key, in: folder, left: left, at: engine.step.time)
            record.admission = admission?.saved ?? 0
            engine.step.put(.rooms, id.bytes, record)
        }
    }

    // MARK: - Outputs

    private func take(_ output: RoomOutput, of number: Int) async {
        guard let open = registry[number] else { return }
        switch output {
        case .event(let event):
            if case .message(let message) = event { registry.messages.note(message.id, in: number) }
            notify(event)
        case .transition(.entered):
            if let error = await settle(number) {
                await destroyRoom(number)
                open.entering?.yield(error)
            } else if let id = registry[number]?.id {
                do throws(ChatError) {
                    try await unlist(id)
                } catch {
                    await account.report(error)
                }
                feed.notify(.room(id, .joined))
                endEntering(number)
            }
        case .transition(.waiting):
            registry[number]?.id = await open.account.roomView()?.id
            endEntering(number)
        case .transition(.failed(let error)):
            await destroyRoom(number)
            open.entering?.yield(error)
            if open.entering == nil, let id = open.id {
                feed.notify(.room(id, error.code == .expired ? .expired : .rejected(nil)))
            }
        case .transition(.ends):
            do throws(ChatError) {
                try await saveRoom(number)
            } catch {
                await account.report(error)
            }
        case .transition(.over(let event)): await endRoom(number, event)
        }
    }

    private func endEntering(_ number: Int) {
        registry[number]?.entering?.yield(nil)
        registry[number]?.entering = nil
    }

    /// Reports an event of a room, except for events about its members as contacts: outside of the room they are none.
    private func notify(_ event: ChatEvent) {
        switch event {
        case .group(_, .joined), .group(_, .ended), .group(_, .invited): break
        case .group(let group, let change): feed.notify(.room(group, .changed(change)))
        case .message, .changed, .removed, .erased, .typing, .streamingReply, .status, .delivery, .room, .progress,
            .fileFailed, .conversation, .storageFailing, .historyTampered, .lagged:
            feed.notify(event)
        case .linkUp, .linkDown, .contact, .trust, .relayed, .locked, .unlocked: break
        }
    }

    /// Moves a room that has admitted this node to the disk, unless it is ephemeral; returns the reason if it cannot
    /// stay.
    private func settle(_ number: Int) async -> ChatError? {
        guard let open = registry[number], let room = await open.account.roomView() else { return Self.roomOver }
        guard registry.number(of: room.id).map({ $0 == number }) ?? true else {
            return ChatError(.badCredential, "You are already in this room.")
        }
        registry[number]?.id = room.id
        guard !room.isEphemeral, let directory = home?.directory else { return nil }
        let folder = RoomFolder(in: directory)
        registry[number]?.folder = folder
        do throws(ChatError) {
            let left = await open.account.roomTimeLeft()
            try await open.account.move(to: folder)
            let end = left.map { MeshInstant.zero.advanced(by: .milliseconds($0)) } ?? .distantFuture
            let part = RoomState(id: room.id, end: end, admission: room.admission)
            let opening = try NodeOpening(restoring: part, with: open.key, from: folder, at: configuration.time)
            // The node has left or stopped meanwhile: the number is not used any more.
            guard !isClosed, registry[number] != nil else {
                try? opening.store.close()
                folder.destroy()
                return Self.roomOver
            }
            let kept = OpenRoom(opening, configuration, mesh, mediaQuota, key: open.key, folder: folder, id: room.id)
            registry[number]?.account = kept.account
            registry[number]?.relay = kept.relay
            registry[number]?.task = nil
            takeOutputs(of: number)
            try await saveRoom(number)
            try await kept.account.start()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - The end

    /// Ends a room and reports it.
    private func endRoom(_ number: Int, _ event: RoomEvent) async {
        let id = registry[number]?.id
        await destroyRoom(number)
        if let id { feed.notify(.room(id, event)) }
    }

    /// Destroys a room: first the record that opens it, so that a crash leaves nothing that can be read, then all the
    /// rest.
    func destroyRoom(_ number: Int) async {
        guard let open = registry[number] else { return }
        registry[number] = nil
        if let id = open.id, open.folder != nil {
            do throws(ChatError) {
                try await account.transact { $0.step.delete(.rooms, id.bytes) }
            } catch {
                await account.report(error)
            }
        }
        await open.account.stop(because: Self.roomOver)
        open.folder?.destroy()
    }

    // MARK: - Creating, joining and leaving

    /// Returns the rooms that this node is in, or waits for, in the order in which they were entered.
    func roomViews() async throws(ChatError) -> [Room] {
        try checkRunning()
        var views: [Room] = []
        for account in registry.accounts {
            if let room = await account.roomView() { views.append(room) }
        }
        return views
    }

    /// Creates a room that this node hosts.
    func createRoom(_ plan: RoomPlan) async throws(ChatError) -> Room {
        _ = try plan.policy()
        let folder = plan.isEphemeral ? nil : home.map { RoomFolder(in: $0.directory) }
        let number = try await openRoom(as: plan.nickname, in: folder)
        do throws(ChatError) {
            guard let account = registry[number]?.account else { throw Self.roomOver }
            let room = try await account.foundRoom(plan)
            registry[number]?.id = room.id
            try await saveRoom(number)
            if isStarted { try await account.start() }
            return room
        } catch {
            await destroyRoom(number)
            throw error
        }
    }

    /// Joins a room; its beacons tell its host.
    func joinRoom(_ credential: JoinCredential, as nickname: String? = nil) async throws(ChatError) -> Room {
        try checkRunning()
        guard isStarted else {
            throw ChatError(.meshUnavailable, "This node has not joined the mesh. Start it first.")
        }
        let number = try await openRoom(as: nickname, in: nil)
        // The result may come before this function waits for it.
        let (ends, continuation) = AsyncStream.makeStream(of: ChatError?.self, bufferingPolicy: .bufferingNewest(1))
        registry[number]?.entering = continuation
        let discovered = await beacons()
        do throws(ChatError) {
            guard let account = registry[number]?.account else { throw Self.roomOver }
            try await account.start()
            try await account.enterRoom(credential, beacons: discovered)
        } catch {
            await destroyRoom(number)
            throw error
        }
        for await end in ends {
            if let end { throw end }
            break
        }
        guard let room = await registry[number]?.account.roomView() else { throw Self.roomOver }
        return room
    }

    /// Leaves a room, or removes it from the list.
    func leaveRoom(_ room: GroupID) async throws(ChatError) {
        try checkRunning()
        guard let number = registry.number(of: room), let account = registry[number]?.account else {
            guard try await unlist(room) else { throw Self.noRoom }
            return
        }
        try await account.sendLeaveMessages()
        await destroyRoom(number)
        feed.notify(.room(room, .closed))
    }

    // MARK: - The list

    /// Returns the rooms of imported lists that this node is not in, by title.
    func formerRooms() async throws(ChatError) -> [RoomEntry] {
        try checkRunning()
        let over = registry.left.expire(at: configuration.time.date)
        if !over.isEmpty {
            do throws(ChatError) {
                try await forget(over)
            } catch {
                await account.report(error)
            }
        }
        return registry.left.entries.filter { registry.number(of: $0.id) == nil }
            .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    /// Adds rooms that this node is not in to the list.
    func importRooms(_ list: [RoomEntry]) async throws(ChatError) -> [RoomEntry] {
        try checkRunning()
        let open = registry.ids
        let added = try registry.left.add(list, except: open, at: configuration.time.date)
        guard !added.isEmpty else { return [] }
        do {
            try await account.transact { engine in
                for entry in added { engine.step.put(.roomList, entry.id.bytes, entry.record) }
            }
            return added
        } catch {
            for entry in added { _ = registry.left.remove(entry.id) }
            throw error
        }
    }

    /// Removes a room from the list; returns false if it is not in it.
    @discardableResult
    func unlist(_ room: GroupID) async throws(ChatError) -> Bool {
        guard registry.left.remove(room) else { return false }
        try await forget([room])
        return true
    }

    private func forget(_ rooms: [GroupID]) async throws(ChatError) {
        try await account.transact { engine in
            for room in rooms { engine.step.delete(.roomList, room.bytes) }
        }
    }

    static let isRoom = ChatError(.notFound, "This is a room. Leave it with 'room leave'.")
    static let noRoom = ChatError(.notFound, "No room has this id.")
    static let roomOver = ChatError(.expired, "The room has ended.")
}
