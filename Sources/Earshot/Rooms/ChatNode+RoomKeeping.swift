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
        let number = registry.add(OpenRoom(opening, configuration, mesh, mediaSpace, key: key, folder: folder, id: nil))
        takeOutputs(of: number)
        return number
    }

    private func takeOutputs(of number: Int) {
        guard let relay = registry[number]?.relay, registry[number]?.task == nil else { return }
        registry[number]?.task = Task { [weak self] in
            for await output in relay.outputs {
                relay.taken(output)
                await self?.take(output, of: number)
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
            tell(event)
        case .news(.entered):
            if let error = await settle(number) {
                await destroyRoom(number)
                open.entering?.yield(error)
            } else if let id = registry[number]?.id {
                do throws(ChatError) {
                    try await unlist(id)
                } catch {
                    await account.report(error)
                }
                feed.tell(.room(id, .joined))
                endEntering(number)
            }
        case .news(.waiting):
            registry[number]?.id = await open.account.roomView()?.id
            endEntering(number)
        case .news(.failed(let error)):
            await destroyRoom(number)
            open.entering?.yield(error)
            if open.entering == nil, let id = open.id {
                feed.tell(.room(id, error.code == .expired ? .expired : .rejected(nil)))
            }
        case .news(.ends):
            do throws(ChatError) {
                try await saveRoom(number)
            } catch {
                await account.report(error)
            }
        case .news(.over(let event)): await endRoom(number, event)
        }
    }

    private func endEntering(_ number: Int) {
        registry[number]?.entering?.yield(nil)
        registry[number]?.entering = nil
    }

    /// Reports an event of a room, except for events about its members as contacts: outside of the room they are none.
    private func tell(_ event: ChatEvent) {
        switch event {
        case .group(_, .joined), .group(_, .ended), .group(_, .invited): break
        case .group(let group, let change): feed.tell(.room(group, .changed(change)))
        case .message, .changed, .removed, .erased, .typing, .growing, .status, .delivery, .room, .progress,
            .fileFailed, .conversation, .storageFailing, .historyTampered, .lagged:
            feed.tell(event)
        case .linkUp, .linkDown, .contact, .trust, .relayed, .locked, .unlocked: break
        }
    }

    /// Moves a room that has admitted this node to the disk, unless it is ephemeral; returns the reason if it cannot
    /// stay.
    private func settle(_ number: Int) async -> ChatError? {
        guard let open = registry[number], let room = await open.account.roomView() else { return Self.roomOver }
        guard registry.number(of: room.id).map({ $0 == number }) ?? true else {
            return ChatError(.badTicket, "You are already in this room.")
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
            let kept = OpenRoom(opening, configuration, mesh, mediaSpace, key: open.key, folder: folder, id: room.id)
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
        if let id { feed.tell(.room(id, event)) }
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
}
