/// Where a host and joiners who have the same key meet: what both put into CPace.
///
/// Source: PROTOCOL §17.
struct RoomMeeting: Sendable {
    let room: GroupID
    /// The public name of the meeting.
    ///
    /// Shape: 16 bytes.
    let lobby: [UInt8]
    /// The digits of a code, the key of an invite, or nothing where everybody may come.
    let password: SecretBytes

    private static let channelPurpose = Label.room.bytes + [1]

    /// Begins one side's run with the host of these keys.
    func run(host: PeerID) -> CPace {
        CPace(password: password, channel: Self.channelPurpose + host.bytes, session: session)
    }

    /// Shape: room (16) ‖ lobby (16).
    var session: [UInt8] { room.bytes + lobby }
}
