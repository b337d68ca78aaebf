import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore
import MeshTransport

/// How the node of the home keeps its rooms: each is a node of its own that shares the mesh.
extension ChatNode {
    // MARK: - Finding

    /// The node of the room that a group is; nil for a group that is none.
    func room(_ group: GroupID) async throws(ChatError) -> ChatNode? {
        guard let number = shelf.number(of: group), let node = shelf[number]?.node else { return nil }
        guard await node.roomView() != nil else {
            await endRoom(number, .expired)
            throw Self.roomOver
        }
        return node
    }

    /// The node of the room that a conversation is; nil for one that is none.
    func room(_ conversation: ConversationID) async throws(ChatError) -> ChatNode? {
        guard case .room(let group) = conversation, outlet == nil else { return nil }
        guard let node = try await room(group) else { throw Self.noRoom }
        return node
    }

    /// The node of the room in which a message is; nil for one that is in none.
    func room(holding message: MessageID) async -> ChatNode? {
        for number in shelf.numbers {
            guard let node = shelf[number]?.node else { continue }
            if await node.holds(message) { return node }
        }
        return nil
    }

    private func holds(_ message: MessageID) -> Bool {
        let found = try? look { engine, transaction in try engine.message(message, in: transaction) != nil }
        return found ?? false
    }

    /// The conversation that a group is: that of a room, or of a group of the home.
    package func conversationID(of group: GroupID) -> ConversationID {
        shelf.number(of: group) == nil ? .group(group) : .room(group)
    }

    /// Refuses what is not done to rooms as to groups.
    func checkNoRoom(_ group: GroupID) throws(ChatError) {
        guard shelf.number(of: group) == nil else {
            throw ChatError(.notFound, "That is a room; leave it as one.")
        }
    }

    /// The rooms as a list of conversations shows them.
    func roomConversations() async -> [Conversation] {
        var found: [Conversation] = []
        for number in shelf.numbers {
            guard let id = shelf[number]?.id, let node = shelf[number]?.node, await node.roomView() != nil else {
                continue
            }
            let all = (try? await node.conversations()) ?? []
            found += all.filter { $0.id == .room(id) }
        }
        return found
    }

    /// Where plain copies of a message's files go.
    var mediaFolder: URL? { outlet?.media ?? home?.directory.appending(path: HomeFile.media) }

    /// The newest beacon of each host that the mesh holds.
    func beacons() async -> [RoomBeacon] {
        let own = Set(shelf.numbers.compactMap { shelf[$0]?.id })
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

    // MARK: - Opening

    /// Opens a node for a room, which is not known yet; gives its number.
    func openRoom(as nickname: String?, in folder: RoomFolder?) throws(ChatError) -> Int {
        try checkRunning()
        guard !configuration.mesh.isRelayOnly else {
            throw ChatError(.meshUnavailable, "A relay takes part in no conversation.")
        }
        guard shelf.open.count < RoomRules.roomCount else {
            throw ChatError(.limited, "A node is in at most \(RoomRules.roomCount) rooms; leave one first.")
        }
        let name = try NodeOpening.nickname(nickname ?? engine.nickname)
        let key = MasterKey()
        let opening = try NodeOpening(making: name, for: RoomPart(), with: key, in: folder, at: configuration.time)
        let number = shelf.add(OpenRoom(opening, configuration, mesh, key: key, folder: folder, id: nil))
        takeOutputs(of: number)
        return number
    }

    private func takeOutputs(of number: Int) {
        guard let outlet = shelf[number]?.outlet, shelf[number]?.task == nil else { return }
        shelf[number]?.task = Task { [weak self] in
            for await output in outlet.outputs {
                outlet.taken(output)
                await self?.take(output, of: number)
            }
        }
    }

    /// Lets the rooms that the home keeps take part.
    func startRooms() async {
        for number in shelf.numbers {
            takeOutputs(of: number)
            do {
                try await shelf[number]?.node.start()
            } catch {
                report(error)
            }
        }
    }

    /// Closes all rooms; those of the disk go on at the next start.
    func stopRooms() async {
        for number in shelf.numbers {
            shelf[number]?.entering?.finish()
            await shelf[number]?.node.stop()
        }
    }

    /// Hands on what the mesh reports: every envelope may be for any room.
    func passToRooms(_ outputs: [MeshOutput]) async {
        // What a room's store refuses is found again at the next start.
        for number in shelf.numbers {
            guard let node = shelf[number]?.node else { continue }
            // In a task of its own, whose memory goes with it: this node's own loop is to keep nothing of a room.
            await Task { _ = await node.take(outputs[...]) }.value
        }
    }

    /// Writes what opens a room; before that a room on the disk is not to be found again.
    func saveRoom(_ number: Int) async throws(ChatError) {
        guard let open = shelf[number], let id = open.id, let folder = open.folder else { return }
        let left = await open.node.roomTimeLeft()
        let admission = await open.node.roomView()?.admission
        try await transact { engine, transaction in
            var record = engine.records.record(of: id, open.key, in: folder, left: left, at: transaction.time)
            record.admission = admission?.saved ?? 0
            transaction.put(.rooms, id.bytes, record)
        }
    }

    // MARK: - What happens in them

    private func take(_ output: RoomOutput, of number: Int) async {
        guard let open = shelf[number] else { return }
        switch output {
        case .event(let event): relay(event)
        case .news(.entered):
            if let error = await settle(number) {
                await destroyRoom(number)
                open.entering?.yield(error)
            } else if let id = shelf[number]?.id {
                do throws(ChatError) {
                    try await unlist(id)
                } catch {
                    report(error)
                }
                tell(.room(id, .joined))
                endEntering(number)
            }
        case .news(.waiting):
            shelf[number]?.id = await open.node.roomView()?.id
            endEntering(number)
        case .news(.failed(let error)):
            await destroyRoom(number)
            open.entering?.yield(error)
            if open.entering == nil, let id = open.id {
                tell(.room(id, error.code == .expired ? .expired : .rejected(nil)))
            }
        case .news(.ends):
            do throws(ChatError) {
                try await saveRoom(number)
            } catch {
                report(error)
            }
        case .news(.over(let event)): await endRoom(number, event)
        }
    }

    private func endEntering(_ number: Int) {
        shelf[number]?.entering?.yield(nil)
        shelf[number]?.entering = nil
    }

    /// Tells what happens in a room, but for what is about its people as contacts: outside of it there are none.
    private func relay(_ event: ChatEvent) {
        switch event {
        case .group(_, .joined), .group(_, .ended), .group(_, .invited): break
        case .group(let group, let change): tell(.room(group, .changed(change)))
        case .message, .changed, .removed, .erased, .typing, .growing, .status, .delivery, .room, .progress,
            .fileFailed,
            .conversation, .storageFailing, .historyTampered, .lagged:
            tell(event)
        case .linkUp, .linkDown, .contact, .trust, .relayed, .locked, .unlocked: break
        }
    }

    /// Moves a room that this node was let into to the disk, unless nobody is to keep anything of it; answers why it
    /// cannot stay.
    private func settle(_ number: Int) async -> ChatError? {
        guard let open = shelf[number], let room = await open.node.roomView() else { return Self.roomOver }
        guard shelf.number(of: room.id).map({ $0 == number }) ?? true else {
            return ChatError(.badTicket, "This node is in that room already.")
        }
        shelf[number]?.id = room.id
        guard !room.isEphemeral, let directory = home?.directory else { return nil }
        let folder = RoomFolder(in: directory)
        shelf[number]?.folder = folder
        do throws(ChatError) {
            let left = await open.node.roomTimeLeft()
            try await open.node.move(to: folder)
            let end = left.map { MeshInstant.zero.advanced(by: .milliseconds($0)) } ?? .distantFuture
            let part = RoomPart(id: room.id, end: end, admission: room.admission)
            let opening = try NodeOpening(restoring: part, with: open.key, from: folder, at: configuration.time)
            // Left or stopped meanwhile: nobody has this number any more.
            guard !isClosed, shelf[number] != nil else {
                try? opening.store.close()
                folder.destroy()
                return Self.roomOver
            }
            let kept = OpenRoom(opening, configuration, mesh, key: open.key, folder: folder, id: room.id)
            shelf[number]?.node = kept.node
            shelf[number]?.outlet = kept.outlet
            shelf[number]?.task = nil
            takeOutputs(of: number)
            try await saveRoom(number)
            try await kept.node.start()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - The end

    /// Ends a room and tells it.
    private func endRoom(_ number: Int, _ event: RoomEvent) async {
        let id = shelf[number]?.id
        await destroyRoom(number)
        if let id { tell(.room(id, event)) }
    }

    /// Destroys a room: what opens it first, so that a crash leaves nothing that can be read, then all the rest.
    func destroyRoom(_ number: Int) async {
        guard let open = shelf[number] else { return }
        shelf[number] = nil
        if let id = open.id, open.folder != nil {
            do throws(ChatError) {
                try await transact { _, transaction in transaction.delete(.rooms, id.bytes) }
            } catch {
                report(error)
            }
        }
        await open.node.stop()
        open.folder?.destroy()
    }
}

/// What the node of a room does for that of the home.
extension ChatNode {
    /// The room as it is shown; nil while this node is on its way in, and once it is over.
    func roomView() -> Room? { engine.roomView(at: now()) }

    /// How long the room lasts; nil for one without end.
    ///
    /// Units: milliseconds.
    func roomTimeLeft() -> UInt64? {
        guard let end = engine.room?.end, end != .distantFuture else { return nil }
        let (seconds, attoseconds) = now().monotonic.duration(to: end).components
        return UInt64(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    /// Founds the room.
    func foundRoom(_ plan: RoomPlan) async throws(ChatError) -> Room {
        try await changeRoom { engine, transaction in try engine.foundRoom(plan, in: &transaction) }
    }

    /// Looks for the way in.
    func enterRoom(_ ticket: RoomTicket, beacons: [RoomBeacon]) async throws(ChatError) {
        try await transact { engine, transaction in
            try engine.enterRoom(ticket, beacons: beacons, in: &transaction)
        }
    }

    /// Tells the others that this node leaves.
    func sayFarewell() async throws(ChatError) {
        try await transact { engine, transaction in try engine.leaveRoom(in: &transaction) }
    }

    /// Changes the room, and gives it as it is then.
    func changeRoom(
        _ body: (inout ChatEngine, inout ChatTransaction) throws -> Void
    ) async throws(ChatError) -> Room {
        try await transact { engine, transaction in
            try body(&engine, &transaction)
            guard let room = engine.roomView(at: transaction.time) else { throw Self.roomOver }
            return room
        }
    }

    /// Stops, and puts all that is kept into a folder.
    func move(to folder: RoomFolder) async throws(ChatError) {
        let copy: SQLiteStore
        do {
            copy = try folder.openStore(newID: databaseID)
        } catch {
            throw ChatError(error)
        }
        defer { try? copy.close() }
        try await stop(copyingTo: copy)
    }
}
