#if !FUZZING
    @testable import GatewayCore
#endif

/// Checks the reader of a hub's bytes: every split gives the same, and no more than a message is kept.
func fuzzNATS(_ input: [UInt8]) {
    var choices = Choices(input)
    let place = choices.number(below: 512)
    let bytes = choices.candidate(like: talks)
    let whole = reading(of: [bytes])
    precondition(whole == reading(of: [Array(bytes.prefix(place)), Array(bytes.dropFirst(place))]))
    precondition(whole == reading(of: bytes.map { [$0] }))
}

/// The operations that were read, and whether the bytes were some of a hub.
private struct Reading: Equatable {
    var operations: [NATSOperation] = []
    var isRefused = false
}

private func reading(of pieces: [[UInt8]]) -> Reading {
    var (decoder, reading) = (NATSDecoder(), Reading())
    for piece in pieces {
        decoder.append(piece)
        do {
            while let operation = try decoder.next() { reading.operations.append(operation) }
        } catch {
            reading.isRefused = true
            return reading
        }
        precondition(decoder.waitingByteCount <= HubLimits.infoByteCount)
    }
    return reading
}

private let talks: [[UInt8]] = [
    "INFO {\"headers\":true,\"max_payload\":24576}\r\nPING\r\nMSG e.a.a5 2 3\r\nabc\r\n",
    "HMSG _INBOX.a.7 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n-ERR 'no'\r\n+OK\r\nPONG\r\n",
    "HMSG e.a 1 b 49 51\r\nNATS/1.0\r\nNats-Sequence: 7\r\nNats-Subject: e.a\r\n\r\nxy\r\n",
].map { Array($0.utf8) }
