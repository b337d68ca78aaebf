/// The meeting of a host with the joiners that have the same key: the input of both sides to CPace.
///
/// Source: PROTOCOL §17.
struct RoomMeeting: Sendable {
    let room: GroupID
    /// The public name of the meeting.
    ///
    /// Shape: 16 bytes.
    let lobby: [UInt8]
    /// The secret digits of a code, the key of an invite, or nothing in a room that is open to all peers.
    let password: SecretBytes

    private static let channelPurpose = Label.room.bytes + [1]

    /// Begins one side's run with the host that has this ID.
    func run(host: PeerID) -> CPace {
        CPace(password: password, channel: Self.channelPurpose + host.bytes, session: session)
    }

    /// The name of the meeting for CPace.
    ///
    /// Shape: room (16) ‖ lobby (16).
    var session: [UInt8] { room.bytes + lobby }
}
