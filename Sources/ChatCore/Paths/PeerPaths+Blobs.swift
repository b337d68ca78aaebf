package import ChatCrypto
package import MeshCore

/// Transfers of objects take thousands of payloads a second: they change nothing that is stored, and need no step.
extension PeerPaths {
    /// Opens a payload that is part of a transfer; nil for all others, which leave everything as it is.
    package mutating func openBlob(
        _ message: PathMessage,
        now: MeshInstant
    ) -> (peer: PeerID, path: PathLabel, message: BlobMessage)? {
        guard let index = all.lastIndex(where: { $0.own == message.to }), let seal = all[index].seal,
            let opened = seal.open(message.payload),
            case .blob(let content) = PathContent.decode(opened.content)?.content,
            isNew(opened.number, on: index)
        else { return nil }
        use(index, now: now)
        return (all[all.count - 1].peer, message.to, content)
    }

    /// Seals part of a transfer for a path; nil if that is gone.
    package func seal(_ message: BlobMessage, on own: PathLabel) -> PathMessage? {
        guard let path = path(own: own), let remote = path.remote, let seal = path.seal else { return nil }
        let hops = UInt8.random(in: 0...7)
        let payload = seal.seal(PathContent.blob(message).encoded(startingHops: hops))
        return PathMessage(to: remote, hops: hops, isBulk: message.isBulk, payload: payload)
    }

    /// The best way to a peer at the moment: one that is to be left is better than none.
    package func bestPath(to peer: PeerID) -> PathLabel? {
        (path(to: peer) ?? all.last { $0.peer == peer && $0.seal != nil })?.own
    }
}
