/// Who gets into a room.
///
/// Shape: the value is the byte on the wire. Source: PROTOCOL §17.
public enum RoomAdmission: UInt8, Sendable, CaseIterable {
    /// Who has the code or an invite.
    case code = 0
    /// Who has the code or an invite and is approved by the host.
    case approval = 1
    /// Everybody.
    case open = 2
}
