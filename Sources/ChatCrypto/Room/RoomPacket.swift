/// The content of the body of a ROOM envelope.
///
/// Source: PROTOCOL §17.
public enum RoomPacket: Hashable, Sendable {
    /// A host announces its room.
    case beacon(RoomBeacon)
    /// The first join message, J1, from a joiner.
    case hello(JoinHello)
    /// The second join message, J2, from a host.
    case answer(JoinAnswer)
    /// The third join message, J3, from a joiner.
    case request(JoinRequest)
    /// The fourth join message, J4, from a host.
    case reply(JoinReply)

    /// Reads a body from any peer; nil for any other bytes, including a beacon with a wrong signature.
    public init?(decoding body: [UInt8]) {
        let packet: RoomPacket? =
            switch body.first {
            case RoomBeacon.type: (try? RoomBeacon(verifying: body)).map { .beacon($0) }
            case JoinHello.type: JoinHello(decoding: body).map { .hello($0) }
            case JoinAnswer.type: JoinAnswer(decoding: body).map { .answer($0) }
            case JoinRequest.type: JoinRequest(decoding: body).map { .request($0) }
            case JoinReply.type: JoinReply(decoding: body).map { .reply($0) }
            default: nil
            }
        guard let packet else { return nil }
        self = packet
    }

    /// The body of its envelope.
    public var bytes: [UInt8] {
        switch self {
        case .beacon(let beacon): beacon.bytes
        case .hello(let hello): hello.bytes
        case .answer(let answer): answer.bytes
        case .request(let request): request.bytes
        case .reply(let reply): reply.bytes
        }
    }
}
