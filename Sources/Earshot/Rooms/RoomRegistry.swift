import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging
import MeshCore
import MeshTransport
import SwiftProtobuf

/// A room that is open, or that this node is joining.
struct OpenRoom: Sendable {
    /// The account of the room, with an identity and a store of its own.
    var account: Account
    /// The relay of the account's events to the node.
    var relay: EventRelay
    /// The key under which everything in it is sealed.
    let key: MasterKey
    /// The folder of the room; nil for a room that is in memory alone.
    var folder: RoomFolder?
    /// The room's id; nil while it is not known.
    var id: GroupID?
    /// The caller that waits for the result of joining: nil for success, else the error.
    var entering: AsyncStream<ChatError?>.Continuation?
    /// The task that takes the outputs of the relay.
    var task: Task<Void, Never>?
}

/// All rooms of a node, by numbers that have no meaning outside of it.
struct RoomRegistry: Sendable {
    private(set) var open: [Int: OpenRoom] = [:]
    /// The newest messages of the rooms.
    var messages = RecentMessages()
    /// Rooms of imported lists.
    var left = FormerRooms()
    private var nextNumber = 0

    /// Makes a registry without rooms.
    init() {}

    /// Makes a registry without rooms that reuses no number of another one.
    init(after other: RoomRegistry) { nextNumber = other.nextNumber }

    /// The numbers, rising.
    var numbers: [Int] { open.keys.sorted() }

    /// The accounts, in the order in which the rooms were entered.
    var accounts: [Account] { numbers.compactMap { open[$0]?.account } }

    /// The rooms that are known.
    var ids: Set<GroupID> { Set(open.values.compactMap(\.id)) }

    subscript(number: Int) -> OpenRoom? {
        get { open[number] }
        set {
            open[number] = newValue
            if newValue == nil { messages.forget(number) }
        }
    }

    /// Returns the account that reported a message; nil if no room has reported it lately.
    func account(ofRecent message: MessageID) -> Account? {
        messages[message].flatMap { open[$0]?.account }
    }

    /// Returns the number of a room by its id.
    func number(of room: GroupID) -> Int? { numbers.first { open[$0]?.id == room } }

    /// Adds a room; returns its number.
    mutating func add(_ room: OpenRoom) -> Int {
        nextNumber += 1
        open[nextNumber] = room
        return nextNumber
    }

    // MARK: - Restoring

    /// Restores the rooms that a home keeps.
    ///
    /// Rooms whose time ended while the node was off are destroyed first, their keys before their files; nothing of
    /// them can be shown.
    init(
        restoring home: NodeOpening,
        _ configuration: ChatConfiguration,
        _ mesh: any ChatMesh,
        _ mediaQuota: MediaQuota,
        after other: RoomRegistry = RoomRegistry()
    ) throws(ChatError) {
        self.init(after: other)
        guard let directory = home.home?.directory else { return }
        var kept: [(room: RoomState, key: MasterKey, folder: RoomFolder)] = []
        do {
            let time = configuration.time
            var step = ChatStep(recordStore: home.recordStore, blobs: home.blobs, time: time)
            for var record in try step.records(.rooms, as: ProtoRoomRecord.self) {
                guard let id = GroupID(bytes: record.id)
                else { continue }
                let left = record.left(at: time.wall)
                guard left != 0, record.folder.count == RoomFolder.nameByteCount,
                    let key = home.engine.records.masterKey(in: record)
                else {
                    step.delete(.rooms, id.bytes)
                    continue
                }
                let end = left.map { MeshInstant.zero.advanced(by: .milliseconds($0)) } ?? .distantFuture
                let folder = RoomFolder(in: directory, name: [UInt8](record.folder))
                kept.append((RoomState(id: id, end: end, admission: .init(saved: record.admission)), key, folder))
                record.remaining = left ?? 0
                step.put(.rooms, id.bytes, record)
            }
            let records = try step.records(.roomList, as: ProtoRoomEntry.self)
            left = FormerRooms(restoring: records, at: time.date)
            let listed = Set(left.entries.map(\.id.bytes))
            let unlisted = records.map { [UInt8]($0.id) }.filter { !listed.contains($0) }
            for name in unlisted { step.delete(.roomList, name) }
            try step.apply(to: home.recordStore, home.blobs)
        } catch {
            throw ChatError(error)
        }
        // If records may be missing, the folders of their rooms stay; nobody can open them without these records.
        if home.recordStore.isUntouched { RoomFolder.sweep(directory, keeping: Set(kept.map(\.folder.name))) }
        for (room, key, folder) in kept {
            do {
                let opening = try NodeOpening(restoring: room, with: key, from: folder, at: configuration.time)
                _ = add(OpenRoom(opening, configuration, mesh, mediaQuota, key: key, folder: folder, id: room.id))
            } catch {
                let facts: Logger.Metadata = ["reason": "\(error.reason)"]
                configuration.logger.error("a room cannot be opened; it is removed at its end", metadata: facts)
            }
        }
    }
}

extension OpenRoom {
    /// Opens the account of a room, which shares the mesh.
    init(
        _ opening: sending NodeOpening,
        _ configuration: ChatConfiguration,
        _ mesh: any ChatMesh,
        _ mediaQuota: MediaQuota,
        key: MasterKey,
        folder: RoomFolder?,
        id: GroupID?
    ) {
        let relay = EventRelay(configuration.environment)
        let share = mediaQuota.share()
        let account = Account(opening, configuration, mesh, share, relay: relay, mediaFolder: folder?.media)
        self.init(account: account, relay: relay, key: key, folder: folder, id: id)
    }
}

extension ProtoRoomRecord {
    /// Returns the remaining time of the room; nil for a room without end.
    ///
    /// A clock that is set back does not prolong it.
    ///
    /// Units: milliseconds.
    fileprivate func left(at wall: UInt64) -> UInt64? {
        guard endsAt > 0 else { return nil }
        return min(remaining, endsAt - min(wall, endsAt))
    }
}

extension SecretSeals {
    /// Returns the record that opens a room.
    ///
    /// - Parameter left: Units: milliseconds; nil for a room without end.
    func record(of room: GroupID, _ key: MasterKey, in folder: RoomFolder, left: UInt64?, at time: ChatTime)
        -> ProtoRoomRecord
    {
        var record = ProtoRoomRecord()
        record.id = .init(room.bytes)
        record.folder = .init(folder.name)
        record.key = .init(seal(key.keyFile, named: Self.roomKeyName(folder.name)))
        if let left {
            record.endsAt = time.wall + left
            record.remaining = left
        }
        return record
    }

    /// Returns the key in a room's record; nil if it does not open.
    fileprivate func masterKey(in record: ProtoRoomRecord) -> MasterKey? {
        open([UInt8](record.key), named: Self.roomKeyName([UInt8](record.folder))).flatMap {
            try? MasterKey(keyFile: $0)
        }
    }

    private static func roomKeyName(_ folder: [UInt8]) -> [UInt8] { Array("room".utf8) + folder }
}
