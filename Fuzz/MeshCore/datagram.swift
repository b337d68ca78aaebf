import Bytes

#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks the datagrams of links: a decoded datagram agrees with the bytes that it was decoded from.
func fuzzDatagram(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: datagrams)
    switch LinkDatagram(decoding: bytes) {
    case .initiation(let initiation):
        precondition(bytes.starts(with: initiation.header))
        precondition(LinkDatagram.Initiation(decoding: initiation.encoded()) == initiation)
    case .retry(let retry): precondition(retry.encoded() == bytes)
    case .response(let response): precondition(response.encoded() == bytes)
    case .data(let packet): precondition(Array(packet.header + packet.sealed) == bytes)
    case nil: break
    }
}

/// A datagram of each type, as two nodes exchange them.
let datagrams: [[UInt8]] = [
    LinkDatagram.Initiation(connection: 1, node: NodeID(3), message: handshakeMessage).encoded(),
    LinkDatagram.Initiation(connection: 1, node: NodeID(3), cookie: cookie, message: handshakeMessage).encoded(),
    LinkDatagram.Retry(connection: 1, cookie: cookie).encoded(),
    LinkDatagram.Response(connection: 1, sender: 2, message: handshakeMessage + handshakeMessage).encoded(),
    LinkDatagram.DataPacket.encoded(thirdMessage: handshakeMessage + cookie, connection: 1),
    LinkDatagram.DataPacket.begin(phase: 1, connection: 1, number: 5).bytes + cookie + [1, 2, 3],
]

private let cookie = [UInt8](repeating: 0xC0, count: LinkProtocol.cookieByteCount)
private let handshakeMessage: [UInt8] = {
    let header = LinkDatagram.Initiation.header(connection: 1, node: NodeID(3))
    var handshake = NullCryptography().nodeKey(seed: 3).initiatorHandshake(header: header)
    return handshake.writeMessage() ?? []
}()
