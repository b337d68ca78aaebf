import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Engines on one mesh, each made for one room: the first hosts it, the others may join.
struct RoomScene {
    let world: EngineWorld

    init(
        _ names: [String] = ["Hanna", "Ben", "Cleo"],
        quality: EngineWorld.Quality = .perfect,
        errors: [Int64] = [],
        seed: UInt64 = 1
    ) throws {
        world = try EngineWorld(names, quality: quality, errors: errors, room: RoomState(), seed: seed)
    }

    /// Founds the room, and lets everybody hear of it.
    @discardableResult
    func found(_ plan: RoomPlan = RoomPlan(title: "Trees"), by index: Int = 0) throws -> GroupID {
        try world.step(index) { try $0.foundRoom(plan) }
        world.run(for: 5_000)
        return try room(of: index).id
    }

    /// The room as one of them sees it.
    func room(of index: Int) throws -> Room { try #require(view(of: index)) }

    /// The room as one of them sees it; nil for who is in none.
    func view(of index: Int) -> Room? { world[index].engine.roomView(at: world.now) }

    /// What the host has to tell others.
    func code(of index: Int = 0) throws -> RoomTicket {
        .code(try #require(RoomCode(try room(of: index).door?.code ?? "")))
    }

    /// The same as a link.
    func invite(of index: Int = 0) throws -> RoomTicket {
        .invite(try #require(RoomInvite(try room(of: index).door?.invite ?? "")))
    }

    /// Knocks, and waits for what comes of it.
    func enter(_ index: Int, with ticket: RoomTicket, heard: [RoomBeacon] = []) throws {
        try world.step(index) { try $0.enterRoom(ticket, beacons: heard + beacons) }
        world.run(for: 20_000)
    }

    /// A code of the same door with other digits.
    func wrongCode(of index: Int = 0) throws -> RoomTicket {
        let code = try #require(try room(of: index).door?.code)
        return .code(try #require(RoomCode(code.dropLast() + (code.hasSuffix("0") ? "1" : "0"))))
    }

    /// The beacons that the mesh holds: the newest of each host.
    var beacons: [RoomBeacon] {
        world.submitted.reduce(into: []) { newest, submission in
            guard submission.kind == .room, case .beacon(let beacon) = RoomPacket(decoding: submission.body) else {
                return
            }
            newest.removeAll { beacon.supersedes($0) }
            newest.append(beacon)
        }
    }

    @discardableResult
    func say(_ text: String, by index: Int) throws -> MessageID {
        var id: MessageID?
        let room = try room(of: index).id
        try world.step(index) { id = try $0.send(text, to: .room(room)).id }
        return try #require(id)
    }

    /// What one of them has of a room, in the order shown.
    func texts(of index: Int) throws -> [String] {
        guard let room = world[index].engine.room?.id else { return [] }
        return try world[index].look(at: world.now) {
            try $0.history(of: .room(room)).page(limit: 1_000, before: nil).filter { !$0.isGroupLine }.map(\.text)
        }
    }

    /// What was told of the room at one of them, changes among its people aside.
    func events(of index: Int) -> [RoomEvent] {
        world[index].events.compactMap { if case .room(_, let event) = $0 { event } else { nil } }
    }

    /// Why there was no way in.
    func failure(of index: Int) -> ChatError.Code? {
        world[index].news.compactMap { if case .failed(let error) = $0 { error.code } else { nil } }.last
    }

    /// How it ended.
    func end(of index: Int) -> RoomEvent? {
        world[index].news.compactMap { if case .over(let event) = $0 { event } else { nil } }.last
    }

    func names(of index: Int) throws -> [String] { try room(of: index).members.map(\.name) }
}

/// Somebody at the door of a room who is no engine.
struct Knocker {
    var joiner: RoomJoiner

    init(with ticket: RoomKey, at time: ChatTime) throws {
        let made = try SessionTable.restore([], identity: Identity(), nickname: nil, at: time.seconds)
        joiner = RoomJoiner(with: ticket, bundle: made.table.bundle)
    }
}
