#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks the handshake of links and the datagrams after it: no changed message is accepted.
func fuzzNoise(_ input: [UInt8]) {
    var choices = Choices(input)
    switch choices.byte() % 4 {
    case 0:
        let message = choices.candidate(like: [run.messages[0]])
        var responder = LinkNoise.responder(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
        precondition(responder.readMessage(message[...]) == (message == run.messages[0]))
    case 1:
        let message = choices.candidate(like: [run.messages[1]])
        var initiator = run.initiator
        precondition(initiator.readMessage(message[...]) == (message == run.messages[1]))
        precondition((initiator.writeMessage() != nil) == (message == run.messages[1]))
    case 2:
        let message = choices.candidate(like: [run.messages[2]])
        var responder = run.responder
        precondition(responder.readMessage(message[...]) == (message == run.messages[2]))
        precondition((responder.finish() != nil) == (message == run.messages[2]))
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
    var initiator = LinkNoise.initiator(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
    var responder = LinkNoise.responder(meshKey: .open, nodeKey: NodeKeyPair(), header: [])
    let first = required { initiator.writeMessage() }
    guard responder.readMessage(first[...]) else { preconditionFailure("refused") }
    let second = required { responder.writeMessage() }
    let (started, answered) = (initiator, responder)
    guard initiator.readMessage(second[...]) else { preconditionFailure("refused") }
    let third = required { initiator.writeMessage() }
    guard responder.readMessage(third[...]) else { preconditionFailure("refused") }
    var sender = required { responder.finish() }
    var datagram: [UInt8] = [1, 2, 1, 2, 3]
    sender.seal(&datagram, headerByteCount: 2, packetNumber: 5, phase: 1)
    return (
        initiator: started, responder: answered, messages: [first, second, third], sealed: Array(datagram[2...]),
        ciphers: required { initiator.finish() }
    )
}()
