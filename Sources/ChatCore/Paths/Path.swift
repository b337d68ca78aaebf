import ChatCrypto
import MeshCore

/// One path, opened by this node or by the peer: its labels, its keys, and the numbers of the payloads that arrived.
struct Path: Sendable {
    let peer: PeerID
    let own: PathLabel
    /// The other end's label; nil until the peer has answered.
    private(set) var remote: PathLabel?
    /// The node at the other end, as the peer's answer states it.
    private(set) var node: NodeID?
    /// The time at which the last payload arrived by it, or its hello was sent.
    var lastUsed: MeshInstant
    /// Whether a better path exists, or will; this one only receives.
    var isRetired = false
    private let secret: SecretBytes
    /// The keys; nil until the peer has answered.
    private var seal: PathSeal?
    private var seen = ReplayWindow(count: 2_048)

    /// Begins a path under an own label, for a hello that was sent or in answer to the peer's hello under their label.
    init(to peer: PeerID, own: PathLabel, remote: PathLabel? = nil, secret: SecretBytes, at now: MeshInstant) {
        (self.peer, self.own, self.remote, self.secret, lastUsed) = (peer, own, remote, secret, now)
        seal = remote.map { PathSeal(secret: secret, opener: $0.bytes, answerer: own.bytes, end: .answerer) }
    }

    /// Whether the other end is known.
    var isOpen: Bool { seal != nil }

    /// The time at which the path ends if nothing arrives by it.
    var end: MeshInstant { lastUsed.advanced(by: isOpen ? ChatLimits.pathIdle : ChatLimits.helloLife) }

    /// Opens a payload; nil for one that the other end did not seal, which changes nothing.
    ///
    /// The first on a path of this node must be the answer, and contains the other end's label.
    mutating func open(_ message: PathMessage, at now: MeshInstant) -> (content: PathContent, startingHops: UInt8)? {
        var keys = seal
        if keys == nil, let label = message.from {
            keys = PathSeal(secret: secret, opener: own.bytes, answerer: label.bytes, end: .opener)
        }
        guard let keys, let opened = keys.open(message.payload), let decoded = PathContent.decode(opened.content) else {
            return nil
        }
        var answerer = node
        if case .answer(let node) = decoded.content { answerer = node } else if !isOpen { return nil }
        guard seen.insert(opened.number) else { return nil }
        if !isOpen { (seal, remote) = (keys, message.from) }
        (node, lastUsed) = (answerer, now)
        return decoded
    }

    /// Opens a payload that is part of a transfer; nil for all others, which change nothing.
    mutating func openBlob(_ payload: [UInt8], at now: MeshInstant) -> BlobMessage? {
        guard let opened = seal?.open(payload), case .blob(let blob) = PathContent.decode(opened.content)?.content,
            seen.insert(opened.number)
        else { return nil }
        lastUsed = now
        return blob
    }

    /// Seals content for the other end; nil while the other end is not known.
    func seal(_ content: PathContent, isLive: Bool = false) -> PathMessage? {
        guard let remote, let seal else { return nil }
        let hops = UInt8.random(in: 0...7)
        let payload = seal.seal(content.encoded(startingHops: hops))
        var message = PathMessage(to: remote, hops: hops, isLive: isLive, payload: payload)
        if case .answer = content { message.from = own }
        if case .blob(let blob) = content { message.isBulk = blob.isBulk }
        return message
    }
}
