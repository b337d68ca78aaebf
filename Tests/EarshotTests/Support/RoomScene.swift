import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Engines on one mesh, each made for one room.
///
/// The first hosts the room, and the others may join.
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

    /// Creates the room, and lets all nodes discover it.
    @discardableResult
    func create(_ plan: RoomPlan = RoomPlan(title: "Trees"), by index: Int = 0) throws -> GroupID {
        try world.step(index) { try $0.foundRoom(plan) }
        world.run(for: 5_000)
        return try room(of: index).id
    }

    /// Returns the room as a node sees it.
    func room(of index: Int) throws -> Room { try #require(view(of: index)) }

    /// Returns the room as a node sees it; nil for a node that is in none.
    func view(of index: Int) -> Room? { world[index].engine.roomView(at: world.now) }

    /// Returns the code with which others can join.
    func code(of index: Int = 0) throws -> JoinCredential {
        .code(try #require(RoomCode(try room(of: index).admissionState?.code ?? "")))
    }

    /// Returns the same join credential as a link.
    func invite(of index: Int = 0) throws -> JoinCredential {
        .invite(try #require(RoomInvite(try room(of: index).admissionState?.invite ?? "")))
    }

    /// Sends a join request, and waits for the result.
    func enter(_ index: Int, with credential: JoinCredential, discovered: [RoomBeacon] = []) throws {
        try world.step(index) { try $0.enterRoom(credential, beacons: discovered + beacons) }
        world.run(for: 20_000)
    }

    /// Returns a code for the same room with other digits.
    func wrongCode(of index: Int = 0) throws -> JoinCredential {
        let code = try #require(try room(of: index).admissionState?.code)
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

    /// Returns the texts of a room that a node has, in the order shown.
    func texts(of index: Int) throws -> [String] {
        guard let room = world[index].engine.room?.id else { return [] }
        return try world[index].read(at: world.now) {
            try $0.history(of: .room(room)).page(limit: 1_000, before: nil).filter { !$0.isGroupLine }.map(\.text)
        }
    }

    /// Returns the events of the room that a node reported.
    func events(of index: Int) -> [RoomEvent] {
        world[index].events.compactMap { if case .room(_, let event) = $0 { event } else { nil } }
    }

    /// Returns the code of the error with which the join failed.
    func failure(of index: Int) -> ChatError.Code? {
        world[index].transitions.compactMap { if case .failed(let error) = $0 { error.code } else { nil } }.last
    }

    /// Returns the event with which the room ended.
    func end(of index: Int) -> RoomEvent? {
        world[index].transitions.compactMap { if case .over(let event) = $0 { event } else { nil } }.last
    }

    func names(of index: Int) throws -> [String] { try room(of: index).members.map(\.name) }
}

/// A new member without an engine that sends join requests to a room.
struct Knocker {
    var joiner: RoomJoiner

    init(with credential: RoomKey, at time: ChatTime) throws {
        let made = try SessionTable.restore([], identity: Identity(), nickname: nil, at: time.seconds)
        joiner = RoomJoiner(with: credential, bundle: made.table.bundle)
    }
}
