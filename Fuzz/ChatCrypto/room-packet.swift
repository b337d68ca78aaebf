import Bytes

#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks bodies of ROOM envelopes from any peer, some beacons with arbitrary content and a valid signature, and
/// replies under the joiner's key.
func fuzzRoomPacket(_ input: [UInt8]) {
    var choices = Choices(input)
    let choice = choices.byte() % 3
    if choice == 2 {
        let content = choices.candidate(like: contents)
        var padded = UInt16(clamping: content.count).bigEndianBytes + content
        padded += [UInt8](repeating: 0, count: max(0, 4_096 - 4 - 33 - padded.count))
        let sealed = AEAD.seal(padded, key: key, nonce: [UInt8](repeating: 0, count: 12), associatedData: [])
        guard let reply = JoinReply(decoding: [4] + choices.field(16) + sealed) else { return }
        guard case .welcome(let welcome) = reply.open(key, from: host.publicIdentity, in: room) else { return }
        precondition(welcome.groupID == room && welcome.checkpoint?.epoch ?? welcome.epoch == welcome.epoch)
        _ = try? GroupSession.join(welcome, as: gathering.identities[1].publicIdentity, at: People.now)
        return
    }
    var bytes = choices.candidate(like: [roomBeacon.bytes])
    if choice == 1 {
        let fields = Array(bytes.dropLast(64))
        bytes = fields + host.signing.sign(.roomBeacon, fields)
    }
    guard let packet = RoomPacket(decoding: bytes) else { return }
    precondition(packet.bytes == bytes)
    guard case .beacon(let read) = packet else { return }
    precondition((0..<100).contains(read.door) && !read.supersedes(read))
    var joiner = RoomJoiner(with: .nothing, bundle: people.tables[0].bundle)
    _ = try? joiner.joinRequest(at: read)
}

private let host = gathering.identities[0]
private let room = gathering.sessions[0].id
private let key = SecretBytes.random(count: 32)
private let contents = [[0] + gathering.welcomes[0], [1] + people.tables[1].bundle.bytes, [2], [3]]
private let roomBeacon = RoomBeacon(
    of: room,
    by: host,
    lobby: randomBytes(16),
    sequence: 1,
    remainingSeconds: 60,
    admission: .open,
    isAdmissionClosed: false
)
