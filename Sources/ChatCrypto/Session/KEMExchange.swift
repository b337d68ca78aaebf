import Bytes

/// One exchange of an ML-KEM-768 secret beside the messages of a session, in the rest of their padding.
///
/// The owner sends a public key (blob E), the other side a ciphertext (blob C). Both then hold the secret of the epoch
/// that has the exchange's number. A value: a message that does not open changes nothing. Source: PROTOCOL §8.
struct KEMExchange: Sendable {
    /// The progress of one side.
    enum Stage: Sendable {
        /// The owner, which sends its key and collects the ciphertext.
        case offering(seed: SecretBytes, ciphertext: BlobAssembly)
        /// The owner with the secret of the epoch.
        case agreed(SecretBytes)
        /// The other side, which collects the key.
        case collecting(key: BlobAssembly)
        /// The other side with the secret of the epoch, which sends the ciphertext.
        case answering(SecretBytes, ciphertextBlob: [UInt8])
    }

    /// The values that both sides have from before the exchange.
    struct Base {
        /// The associated data of the session.
        let associatedData: [UInt8]
        /// The secret of the epoch before.
        let secret: SecretBytes
    }

    /// The part of the exchange that storage does not have yet.
    enum Unsaved: Sendable {
        case nothing, units, stage
    }

    /// The number of the exchange, which is that of the epoch that it leads to.
    let number: UInt32
    /// The time at which it began.
    ///
    /// Units: seconds since 1970 by the local clock.
    let begunAt: UInt32
    private(set) var stage: Stage
    /// The owner's public key, once it is needed: a stored exchange has only the seed.
    private var publicKey: [UInt8]?
    /// The unit of the outgoing blob that the next section begins with.
    private var cursor = 0
    /// The lowest unit that the peer lacks, by its newest message.
    private var peerNeed = 0
    /// Whether the next section begins with what the peer lacks: after a restart, which forgets the cursor, a program
    /// that sends one message a run would send the first units only.
    private var followsNeed = false
    private(set) var unsaved = Unsaved.stage
    /// The time of the last write of units to storage.
    private var savedAt: UInt32 = 0
    /// The time of the last message with room for a whole blob.
    private var widenedAt: UInt32?

    /// Units: bytes of the check at the end of each blob.
    static let checkByteCount = 8
    /// Units: bytes of blob E: public key ‖ check.
    static let keyBlobByteCount = KEM768.publicKeyByteCount + checkByteCount
    /// Units: bytes of blob C: ciphertext ‖ check.
    static let ciphertextBlobByteCount = KEM768.ciphertextByteCount + checkByteCount
    /// Units: bytes of a section before its units: number (1) ‖ need (1) ‖ place of the first unit (1).
    static let sectionHeaderByteCount = 3
    /// The place that stands in a section without units.
    private static let nowhere: UInt8 = 0xFF

    /// Begins an exchange.
    init(_ number: UInt32, isOwner: Bool, at now: UInt32) {
        guard isOwner else {
            self.init(number, begunAt: now, stage: .collecting(key: BlobAssembly(byteCount: Self.keyBlobByteCount)))
            return
        }
        let key = KEM768.makeKey()
        let ciphertext = BlobAssembly(byteCount: Self.ciphertextBlobByteCount)
        self.init(number, begunAt: now, stage: .offering(seed: key.seed, ciphertext: ciphertext))
        publicKey = key.publicKey
    }

    /// Makes an exchange from its parts, as storage does.
    init(_ number: UInt32, begunAt: UInt32, stage: Stage) {
        self.number = number
        self.begunAt = begunAt
        self.stage = stage
    }

    /// Whether this side made the key, and so is the first to use the secret.
    var isOwner: Bool {
        switch stage {
        case .offering, .agreed: true
        case .collecting, .answering: false
        }
    }

    /// The secret of the new epoch; nil until this side holds it.
    var secret: SecretBytes? {
        switch stage {
        case .agreed(let secret), .answering(let secret, _): secret
        case .offering, .collecting: nil
        }
    }

    // MARK: - Sections

    /// Writes the section of the next message.
    ///
    /// Shape: low byte of the number (1) ‖ need (1) ‖ place of the first unit (1) ‖ units (8 each) ‖ zeros.
    ///
    /// - Parameter byteCount: the bytes that the padding leaves, at least 3.
    mutating func writeSection(byteCount: Int, base: Base) -> [UInt8] {
        let unitByteCount = BlobAssembly.unitByteCount
        let blob = outgoingBlob(base)
        let unitCount = blob.count / unitByteCount
        if cursor >= unitCount { cursor = peerNeed }
        let count = min((byteCount - Self.sectionHeaderByteCount) / unitByteCount, unitCount - cursor)
        let place = count > 0 ? UInt8(cursor) : Self.nowhere
        var section = [UInt8(truncatingIfNeeded: number), UInt8(need), place]
        section += blob[(cursor * unitByteCount)..<((cursor + count) * unitByteCount)]
        cursor += count
        if count > 0 { followsNeed = false }
        return section + [UInt8](repeating: 0, count: byteCount - section.count)
    }

    /// Reads the section of a message that has opened.
    ///
    /// - Parameters:
    ///   - section: the rest of the message's padding, at least 3 bytes.
    ///   - isNewest: whether no later message of the peer has opened.
    mutating func readSection(_ section: ArraySlice<UInt8>, isNewest: Bool, base: Base) {
        var reader = ByteReader(section)
        guard let low = reader.byte(), let need = reader.byte(), let place = reader.byte(),
            low == UInt8(truncatingIfNeeded: number),
            place == Self.nowhere || Int(place) < incomingUnitCount
        else { return }
        // The need may name a blob that this side lost when its home was put back: the units count all the same.
        if isNewest, Int(need) <= outgoingUnitCount {
            peerNeed = Int(need)
            if followsNeed { cursor = peerNeed }
        }
        guard place != Self.nowhere else { return }
        take(reader.takeRest(), at: Int(place), base: base)
    }

    /// Whether the next message should have room for a whole blob: the exchange is old, and the messages are such that
    /// the blob does not get through.
    func wantsRoom(at now: UInt32) -> Bool {
        guard now.subtractingClamped(begunAt) > SessionLimits.slowExchangeSeconds, peerNeed < outgoingUnitCount else {
            return false
        }
        return widenedAt.map { now.subtractingClamped($0) >= SessionLimits.wideMessageSeconds } ?? true
    }

    /// Begins the next section with the first unit that the peer lacks, because it has room for all others.
    mutating func widen(at now: UInt32) {
        widenedAt = now
        cursor = peerNeed
    }

    /// The lowest unit that this side lacks of the peer's blob, or the number of its units if it lacks none.
    var need: Int {
        switch stage {
        case .offering(_, let ciphertext): ciphertext.need
        case .collecting(let key): key.need
        case .agreed, .answering: incomingUnitCount
        }
    }

    private var incomingUnitCount: Int {
        (isOwner ? Self.ciphertextBlobByteCount : Self.keyBlobByteCount) / BlobAssembly.unitByteCount
    }

    /// The number of units of the blob that this side sends; 0 if it has none.
    private var outgoingUnitCount: Int {
        switch stage {
        case .offering: Self.keyBlobByteCount / BlobAssembly.unitByteCount
        case .answering: Self.ciphertextBlobByteCount / BlobAssembly.unitByteCount
        case .agreed, .collecting: 0
        }
    }

    // MARK: - Blobs

    private mutating func outgoingBlob(_ base: Base) -> [UInt8] {
        switch stage {
        case .offering(let seed, _): Self.keyBlob(publicKey(of: seed), number, base)
        case .answering(_, let blob): blob
        case .agreed, .collecting: []
        }
    }

    private mutating func publicKey(of seed: SecretBytes) -> [UInt8] {
        if let publicKey { return publicKey }
        let made = (try? KEM768.key(seed: seed).publicKey) ?? []
        publicKey = made
        return made
    }

    private mutating func take(_ units: ArraySlice<UInt8>, at place: Int, base: Base) {
        switch stage {
        case .offering(let seed, var ciphertext):
            guard ciphertext.put(units, at: place) else { return }
            stage = .offering(seed: seed, ciphertext: ciphertext)
            if ciphertext.isWhole { finish(seed, ciphertext.bytes, base) }
        case .collecting(var key):
            guard key.put(units, at: place) else { return }
            stage = .collecting(key: key)
            if key.isWhole { answer(key.bytes, base) }
        case .agreed, .answering: return
        }
        if unsaved == .nothing { unsaved = .units }
    }

    /// Encapsulates to the owner's key; a key that is wrong is thrown away.
    private mutating func answer(_ blob: [UInt8], _ base: Base) {
        unsaved = .stage
        let publicKey = Array(blob.prefix(KEM768.publicKeyByteCount))
        guard constantTimeEqual(blob, Self.keyBlob(publicKey, number, base)),
            let encapsulation = try? KEM768.encapsulate(to: publicKey)
        else {
            stage = .collecting(key: BlobAssembly(byteCount: Self.keyBlobByteCount))
            return
        }
        let (secret, check) = Self.agree(encapsulation.secret, publicKey, encapsulation.ciphertext, base)
        stage = .answering(secret, ciphertextBlob: encapsulation.ciphertext + check)
        cursor = 0
        peerNeed = 0
    }

    /// Decapsulates the other side's ciphertext; one that is wrong is thrown away.
    private mutating func finish(_ seed: SecretBytes, _ blob: [UInt8], _ base: Base) {
        unsaved = .stage
        let ciphertext = Array(blob.prefix(KEM768.ciphertextByteCount))
        let shared = try? KEM768.decapsulate(ciphertext, seed: seed)
        let agreed = shared.map { Self.agree($0, publicKey(of: seed), ciphertext, base) }
        guard let agreed, constantTimeEqual(agreed.check, Array(blob.suffix(Self.checkByteCount))) else {
            stage = .offering(seed: seed, ciphertext: BlobAssembly(byteCount: Self.ciphertextBlobByteCount))
            return
        }
        stage = .agreed(agreed.secret)
        publicKey = nil
        cursor = 0
        peerNeed = 0
    }

    /// Makes blob E.
    ///
    /// Shape: public key (1,184) ‖ check (8).
    private static func keyBlob(_ publicKey: [UInt8], _ number: UInt32, _ base: Base) -> [UInt8] {
        let check = SHA256.hash(label: Label.exchangeKey, base.associatedData, number.bigEndianBytes, publicKey)
        return publicKey + check.prefix(checkByteCount)
    }

    /// Derives the secret of the epoch and the check of blob C.
    private static func agree(
        _ shared: SecretBytes,
        _ publicKey: [UInt8],
        _ ciphertext: [UInt8],
        _ base: Base
    ) -> (secret: SecretBytes, check: [UInt8]) {
        var inputKey = SecretWriter()
        inputKey.append(shared)
        inputKey.append(SHA256.hash(publicKey, ciphertext))
        let keys = HKDF.derive(salt: base.secret, inputKey: inputKey.finish(), info: Label.exchange, count: 40)
        return (keys.slice(0..<32), keys.withBytes { Array($0[32..<40]) })
    }

    // MARK: - Storage

    /// Whether the exchange has to be written now: at once for a new stage, once a second for units.
    func isDue(at now: UInt32) -> Bool {
        switch unsaved {
        case .nothing: false
        case .units: now != savedAt
        case .stage: true
        }
    }

    /// Notes that the exchange comes from storage.
    mutating func noteRestored() {
        unsaved = .nothing
        followsNeed = true
    }

    /// Notes that the exchange has been written.
    mutating func noteSaved(at now: UInt32) {
        unsaved = .nothing
        savedAt = now
    }
}
