import Testing

@testable import ChatCrypto

@Suite("Statements in any order")
struct StatementOrderTests {
    private static let now = KeptBook.now

    /// A statement that arrives from the session of a peer, perhaps more than once.
    private enum Statement {
        case rotation(RotationStatement)
        case revocation(RevocationCertificate)
    }

    /// A contact that rotates its identity twice, and may revoke one of its identities.
    private struct Story {
        let chain = (0..<3).map { _ in Identity() }
        let mallory = Identity()
        var recordStore = KeptBook()

        init() throws {
            _ = try recordStore.see(chain[0], as: "bob")
            let id = chain[0].id
            try recordStore.update { try $0.pin(id) }
        }

        func rotation(_ from: Int, _ to: Int, counter: UInt32) -> Statement {
            .rotation(RotationStatement(from: chain[from], to: chain[to], counter: counter, at: now))
        }

        func revocation(_ index: Int) -> Statement { .revocation(RevocationCertificate(of: chain[index])) }

        /// The statements that the store must never accept, at any time.
        var foreign: [Statement] {
            let forged = RotationStatement(from: mallory, to: mallory, counter: 9, at: now)
            var bytes = RotationStatement(from: chain[0], to: mallory, counter: 9, at: now).bytes
            bytes.replaceSubrange(104..<168, with: forged.bytes[104..<168])
            let unsigned = (try? RotationStatement(verifying: bytes)).map { [Statement.rotation($0)] } ?? []
            return unsigned + [.rotation(RotationStatement(from: mallory, to: chain[2], counter: 9, at: now))]
        }

        /// Delivers a statement; false if it has to be delivered again, as its sender does without a release.
        mutating func take(_ statement: Statement) throws -> Bool {
            switch statement {
            case .revocation(let certificate):
                try recordStore.update { $0.apply(certificate, at: now) }
            case .rotation(let rotation):
                guard recordStore.recordStore.state(of: rotation.oldID) != .unknown else { return false }
                _ = try? recordStore.update { try $0.apply(rotation, from: rotation.oldID, at: now) }
            }
            return true
        }

        /// The state of each identity of the chain: "revoked", "trusted" (may be sent to without asking) or "not".
        var outcome: [String] {
            chain.map { identity in
                let state = recordStore.recordStore.state(of: identity.id)
                let isTrusted = recordStore.recordStore.maySend(to: identity.id) && state == .tofu
                return state == .revoked ? "revoked" : isTrusted ? "trusted" : "not"
            }
        }
    }

    @Test(
        "Rotations one after the other lead to the last, however they are ordered and repeated",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func chains(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        var story = try Story()
        let statements = [story.rotation(0, 1, counter: 1), story.rotation(1, 2, counter: 2)]
        try Self.bring(statements + statements + story.foreign, to: &story, &random)
        #expect(story.outcome == ["not", "not", "trusted"])
        #expect(story.recordStore.recordStore[story.mallory.id] == nil)
        #expect(story.recordStore.recordStore.predecessors(of: story.chain[2].id).count == 2)
    }

    @Test("Revoked is revoked, whatever else comes before or after", arguments: 1...60 as ClosedRange<UInt64>)
    func revocations(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        for revoked in 0..<3 {
            var story = try Story()
            let statements = [
                story.rotation(0, 1, counter: 1), story.rotation(1, 2, counter: 2), story.revocation(revoked),
            ]
            try Self.bring(statements + statements, to: &story, &random)
            // The store trusts no identity that a thief of the revoked key may have introduced, and none that led to it.
            #expect(story.outcome == (0..<3).map { $0 == revoked ? "revoked" : "not" }, "\(revoked)")
            try story.recordStore.restart()
            #expect(story.outcome[revoked] == "revoked")
        }
    }

    /// Delivers statements in a random order, and those that came too early again, in three rounds.
    private static func bring(
        _ statements: [Statement],
        to story: inout Story,
        _ random: inout SeededBytes
    ) throws {
        var waiting = statements
        for index in waiting.indices.dropFirst().reversed() { waiting.swapAt(index, random.below(index + 1)) }
        for _ in 0..<3 {
            var early: [Statement] = []
            for statement in waiting where try !story.take(statement) { early.append(statement) }
            waiting = early
        }
    }

    @Test("No chain leads back, and none goes two ways")
    func contradictions() throws {
        var story = try Story()
        #expect(try story.take(story.rotation(0, 1, counter: 1)))
        let now = Self.now
        for (from, to, code) in [(1, 0, CryptoError.Code.refusedByTrust), (0, 2, .refusedByTrust)] {
            let (old, new) = (story.chain[from], story.chain[to])
            let rotation = RotationStatement(from: old, to: new, counter: 5, at: now)
            #expect(throws: CryptoError(code, "")) {
                try story.recordStore.update { try $0.apply(rotation, from: rotation.oldID, at: now) }
            }
        }
        #expect(story.outcome == ["not", "trusted", "not"])
    }

    @Test("An identity that was revoked after it went on makes its successor changed, unless that was compared")
    func revokedPredecessor() throws {
        for compares in [false, true] {
            var story = try Story()
            _ = try story.take(story.rotation(0, 1, counter: 1))
            let next = story.chain[1]
            if compares {
                let number = story.recordStore.number(with: next)
                try story.recordStore.update { try $0.verify(next.id, typed: number, at: Self.now) }
            }
            let certificate = RevocationCertificate(of: story.chain[0])
            let events = try story.recordStore.update { $0.apply(certificate, at: Self.now) }
            let old = story.chain[0].id
            #expect(events == [.revoked(old)] + (compares ? [] : [.changed(next.id, claimant: old)]))
            #expect(story.recordStore.recordStore.state(of: next.id) == (compares ? .verified : .changed))
            if !compares {
                try story.recordStore.update { try $0.accept(next.id, at: Self.now) }
                #expect(story.recordStore.recordStore.state(of: next.id) == .tofu)
            }
        }
    }

    @Test("As many replaced identities are kept as may be, the newest")
    func retiredLimit() throws {
        var recordStore = TrustStore(owner: Identity().publicIdentity)
        var last = Identity()
        let first = last.id
        _ = recordStore.meet(last.publicIdentity, at: 0)
        _ = try recordStore.pin(last.id)
        for number in 1...UInt32(TrustLimits.maximumRetired + 1) {
            let next = Identity()
            let rotation = RotationStatement(from: last, to: next, counter: number, at: number)
            _ = try recordStore.apply(rotation, from: last.id, at: number)
            last = next
        }
        #expect(recordStore.all.count(where: { $0.retiredAt != nil }) == TrustLimits.maximumRetired)
        #expect(recordStore[first] == nil && recordStore.state(of: last.id) == .tofu)
    }

    @Test("As many revoked strangers are kept as may be, the newest; contacts are no strangers")
    func revokedLimit() throws {
        var recordStore = TrustStore(owner: Identity().publicIdentity)
        let contact = Identity()
        _ = recordStore.meet(contact.publicIdentity, at: 0)
        _ = try recordStore.pin(contact.id)
        _ = recordStore.apply(RevocationCertificate(of: contact), at: 0)
        let first = Identity()
        _ = recordStore.apply(RevocationCertificate(of: first), at: 1)
        for number in 0..<UInt32(TrustLimits.maximumRevokedUnknownPeers) {
            _ = recordStore.apply(RevocationCertificate(of: Identity()), at: 2 + number)
        }
        #expect(recordStore.all.count == TrustLimits.maximumRevokedUnknownPeers + 1)
        #expect(recordStore[first.id] == nil && recordStore.state(of: contact.id) == .revoked)
    }

    @Test("A book goes on under its owner's new identity, which nobody else can claim, nor the old one")
    func newOwner() throws {
        let story = try Story()
        let (old, new) = (story.recordStore.owner, Identity())
        var recordStore = story.recordStore.recordStore
        let before = try recordStore.safetyNumber(with: story.chain[0].id)
        _ = recordStore.goOn(as: new.publicIdentity)
        #expect(recordStore.isOwn(old.id) && recordStore.isOwn(new.id))
        #expect(recordStore.state(of: story.chain[0].id) == .tofu)
        #expect(try recordStore.safetyNumber(with: story.chain[0].id) != before)
        #expect(try recordStore.see(KeptBook.bundle(of: old, nickname: "me"), at: Self.now) == TrustChange())
        #expect(!recordStore.mayReceive(from: old.id) && !recordStore.maySend(to: old.id))
        let toOld = RotationStatement(from: story.chain[0], to: old, counter: 1, at: Self.now)
        #expect(throws: CryptoError(.refusedByTrust, "")) {
            try recordStore.apply(toOld, from: story.chain[0].id, at: Self.now)
        }
    }
}
