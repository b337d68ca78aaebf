/// The admission policy of a room.
///
/// Shape: the value is the byte on the wire. Source: PROTOCOL §17.
public enum RoomAdmission: UInt8, Codable, Sendable, CaseIterable {
    /// Peers that have the code or an invite get in.
    case code = 0
    /// Peers that have the code or an invite get in after the host's approval.
    case approval = 1
    /// Every peer gets in.
    case open = 2
}
