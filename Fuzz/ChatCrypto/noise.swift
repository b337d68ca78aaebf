#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks the handshake of links and the datagrams after it: no changed message is accepted.
func fuzzNoise(_ input: [UInt8]) {
    var choices = Choices(input)
    switch choices.byte() % 3 {
    case 0:
        let message = choices.candidate(like: [run.first])
        var responder = LinkNoise.responder(meshKey: .open)
        precondition(responder.readMessage(message[...]) == (message == run.first))
    case 1:
        let message = choices.candidate(like: [run.second])
        var initiator = run.initiator
        precondition(initiator.readMessage(message[...]) == (message == run.second))
        precondition((initiator.finish() != nil) == (message == run.second))
    default:
        let sealed = choices.candidate(like: [run.sealed])
        let phase = UInt64(choices.byte() % 3)
        var ciphers = run.ciphers
        let opened = ciphers.open(sealed[...], packetNumber: 5, phase: phase, header: [1, 2])
        precondition((opened != nil) == (sealed == run.sealed && phase == 1))
    }
}

/// A handshake and the first datagram after it, which changes the key at once.
private let run = {
    _ = people
    var initiator = LinkNoise.initiator(meshKey: .open)
    var responder = LinkNoise.responder(meshKey: .open)
    let first = initiator.writeMessage()
    guard responder.readMessage(first[...]) else { preconditionFailure("refused") }
    let second = responder.writeMessage()
    var finished = initiator
    guard finished.readMessage(second[...]) else { preconditionFailure("refused") }
    var sender = required { responder.finish() }
    var datagram: [UInt8] = [1, 2, 1, 2, 3]
    sender.seal(&datagram, headerByteCount: 2, packetNumber: 5, phase: 1)
    let sealed = Array(datagram[2...])
    return (initiator: initiator, first: first, second: second, sealed: sealed, ciphers: required { finished.finish() })
}()
