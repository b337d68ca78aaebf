public import ChatCrypto

/// A member named in a text.
public struct Mention: Hashable, Codable, Sendable {
    /// The mentioned identity, whatever name the text uses.
    public let peer: PeerID
    /// The range of the name in the text, with its `@`.
    ///
    /// Units: bytes of UTF-8.
    public let place: Range<Int>

    /// Makes a mention.
    public init(_ peer: PeerID, at place: Range<Int>) {
        self.peer = peer
        self.place = place
    }

    /// Finds the identities that a text names: `@` and a member's name, the longest that fits.
    ///
    /// A name of several members names none of them, unless the writer chose one of them.
    ///
    /// - Parameters:
    ///   - text: The text to send.
    ///   - names: The names of the members here.
    ///   - chosen: The members that the writer means if a name alone is ambiguous.
    package static func find(
        in text: String,
        names: [(peer: PeerID, name: String)],
        chosen: [PeerID] = []
    ) -> [Mention] {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        var byName: [String: [PeerID]] = [:]
        for (peer, name) in names where !name.isEmpty { byName[name, default: []].append(peer) }
        let meant: [(name: [UInt8], peer: PeerID)] = byName.compactMap { name, peers in
            let left = peers.count == 1 ? peers : peers.filter(chosen.contains)
            return left.count == 1 ? (Array(name.utf8), left[0]) : nil
        }
        .sorted { ($1.name.count, $0.peer) < ($0.name.count, $1.peer) }
        let bytes = Array(text.utf8)
        var mentions: [Mention] = []
        var start = 0
        while start < bytes.count, mentions.count < ContentLimits.mentionCount {
            guard bytes[start] == UInt8(ascii: "@"), start == 0 || !isWord(bytes[start - 1]),
                let (name, peer) = meant.first(where: { name, _ in
                    let end = start + 1 + name.count
                    return bytes[(start + 1)...].starts(with: name) && (end == bytes.count || !isWord(bytes[end]))
                })
            else {
                start += 1
                continue
            }
            let end = start + 1 + name.count
            mentions.append(Mention(peer, at: start..<end))
            start = end
        }
        return mentions
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// Checks the mentions of a received text; nil unless each is a whole part of it, in order, without overlap.
    static func checked(_ mentions: [ProtoMention], in text: String) -> [Mention]? {
        guard mentions.count <= ContentLimits.mentionCount else { return nil }
        let bytes = Array(text.utf8)
        var checked: [Mention] = []
        for mention in mentions {
            let (start, count) = (Int(mention.start), Int(mention.count))
            guard let peer = PeerID(bytes: mention.peer), count > 0, start <= bytes.count, count <= bytes.count - start,
                start >= checked.last?.place.upperBound ?? 0, isBoundary(start, in: bytes),
                isBoundary(start + count, in: bytes)
            else { return nil }
            checked.append(Mention(peer, at: start..<(start + count)))
        }
        return checked
    }

    private static func isBoundary(_ place: Int, in bytes: [UInt8]) -> Bool {
        place == bytes.count || bytes[place] & 0xC0 != 0x80
    }

    var encoded: ProtoMention {
        var mention = ProtoMention()
        mention.peer = .bytes(peer.bytes)
        mention.start = UInt32(clamping: place.lowerBound)
        mention.count = UInt32(clamping: place.count)
        return mention
    }
}
