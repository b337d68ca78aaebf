import Testing

@testable import ChatCrypto

@Suite("Rotation and revocation")
struct TrustStatementTests {
    private let old = Identity()
    private let new = Identity()
    private let now = KeptBook.now

    /// Makes a store in which the old identity is a contact, verified or not.
    private func recordStore(verified: Bool) throws -> KeptBook {
        var kept = KeptBook()
        _ = try kept.see(old, as: "bob")
        try kept.update { try $0.pin(old.id) }
        if verified {
            let number = kept.number(with: old)
            try kept.update { try $0.verify(old.id, typed: number, at: now) }
        }
        return kept
    }

    private func rotation(counter: UInt32 = 1) -> RotationStatement {
        RotationStatement(from: old, to: new, counter: counter, at: now)
    }

    @Test("A contact of first use goes on at once, with its name; the old identity only receives, for 8 days")
    func tofuRotates() throws {
        var kept = try recordStore(verified: false)
        #expect(
            try kept.update { try $0.apply(rotation(), from: old.id, at: now) } == [.rotated(old.id, to: new.id)]
        )
        try kept.restart()
        #expect(kept.recordStore.state(of: new.id) == .tofu)
        #expect(kept.recordStore[new.id]?.name?.text == "bob")
        #expect(kept.recordStore.maySend(to: new.id) && !kept.recordStore.maySend(to: old.id))
        #expect(kept.recordStore.mayReceive(from: old.id))
        #expect(kept.recordStore.peers(named: "bob").map(\.identity.id) == [new.id])
        kept.expire(at: now + 7 * 86_400)
        #expect(kept.recordStore.mayReceive(from: old.id))
        kept.expire(at: now + 9 * 86_400)
        #expect(!kept.recordStore.mayReceive(from: old.id))
        try kept.restart()
        kept.expire(at: now + 9 * 86_400)
        #expect(!kept.recordStore.mayReceive(from: old.id) && kept.recordStore[old.id]?.name?.text == "bob")
    }

    @Test("A contact of first use goes on even if its new bundle was heard of before the statement")
    func bundleCameFirst() throws {
        var kept = try recordStore(verified: false)
        #expect(try kept.see(new, as: "bob").contains(.changed(old.id, claimant: new.id)))
        try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        #expect(kept.recordStore.state(of: new.id) == .tofu)
    }

    @Test("Who goes on twice is followed, whichever of the three bundles and statements comes first")
    func laterBundleCameFirst() throws {
        var kept = try recordStore(verified: false)
        let last = Identity()
        _ = try kept.see(last, as: "bob")
        _ = try kept.see(new, as: "bob")
        try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        #expect(kept.recordStore.state(of: new.id) == .changed && !kept.recordStore.maySend(to: new.id))
        try kept.restart()
        let next = RotationStatement(from: new, to: last, counter: 2, at: now)
        try kept.update { try $0.apply(next, from: new.id, at: now) }
        #expect(kept.recordStore.state(of: last.id) == .tofu)
    }

    @Test("A verified contact waits for the user; accepting goes on without verified, comparing with it")
    func verifiedRotates() throws {
        for compares in [false, true] {
            var kept = try recordStore(verified: true)
            let events = try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
            #expect(events == [.changed(old.id, claimant: new.id)])
            try kept.restart()
            #expect(!kept.recordStore.maySend(to: old.id))
            #expect(try kept.recordStore.safetyNumber(with: old.id).digits == kept.number(with: new))
            let oldNumber = kept.number(with: old)
            #expect(throws: CryptoError(.numberMismatch, "")) {
                try kept.update { try $0.verify(old.id, typed: oldNumber, at: now) }
            }
            let number = kept.number(with: new)
            let decision = try kept.update { recordStore throws in
                try compares ? recordStore.verify(old.id, typed: number, at: now) : recordStore.accept(old.id, at: now)
            }
            #expect(decision == [.rotated(old.id, to: new.id)] + (compares ? [.verified(new.id)] : []))
            #expect(kept.recordStore.state(of: new.id) == (compares ? .verified : .tofu))
            #expect(!kept.recordStore.maySend(to: old.id))
        }
    }

    @Test(
        "Of two rotations of one identity none is accepted without a comparison, whichever came last",
        arguments: [false, true]
    )
    func contested(thiefCameLast: Bool) throws {
        var kept = try recordStore(verified: true)
        let thief = Identity()
        let genuine = rotation(counter: now)
        let stolen = RotationStatement(from: old, to: thief, counter: now + 86_400, at: now)
        for statement in thiefCameLast ? [genuine, stolen] : [stolen, genuine] {
            let events = try kept.update { try $0.apply(statement, from: old.id, at: now) }
            #expect(events == [.changed(old.id, claimant: statement.newIdentity.id)])
        }
        try kept.restart()
        #expect(kept.recordStore[old.id]?.isContested == true)
        #expect(throws: CryptoError(.refusedByTrust, "")) { try kept.update { try $0.accept(old.id, at: now) } }
        for statement in [genuine, stolen] {
            #expect(throws: CryptoError(.outOfBounds, "")) {
                try kept.update { try $0.apply(statement, from: old.id, at: now) }
            }
        }
        #expect(!kept.recordStore.maySend(to: old.id) && kept.recordStore[old.id]?.retiredAt == nil)
        // The comparison decides which claimant is the contact.
        let number = kept.number(with: thief)
        #expect(
            try kept.update { try $0.verify(old.id, typed: number, at: now) }
                == [.rotated(old.id, to: thief.publicIdentity.id), .verified(thief.publicIdentity.id)]
        )
        #expect(kept.recordStore[old.id]?.isContested == false)
    }

    @Test("A counter from ahead of the clock is not taken, so that it shuts no later rotation out")
    func counterAhead() throws {
        var kept = try recordStore(verified: false)
        let thief = Identity()
        for counter in [UInt32.max, now + TrustLimits.maximumCounterLead + 1] {
            let stolen = RotationStatement(from: old, to: thief, counter: counter, at: now)
            #expect(throws: CryptoError(.outOfBounds, "")) {
                try kept.update { try $0.apply(stolen, from: old.id, at: now) }
            }
        }
        try kept.update { try $0.apply(rotation(counter: now), from: old.id, at: now) }
        #expect(kept.recordStore.state(of: new.id) == .tofu)
        #expect(RotationStatement.counter(after: 0, at: now) == now)
        #expect(RotationStatement.counter(after: now, at: now) == now + 1)
        #expect(RotationStatement.counter(after: .max, at: now) == now)
        #expect(RotationStatement.counter(after: .max, at: .max) == .max)
    }

    @Test("The new identity's bundle is no impostor's after the rotation")
    func successorIsNoClaimant() throws {
        var kept = try recordStore(verified: true)
        try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        #expect(try kept.see(new, as: "bob") == [.newPeer(new.id)])
        try kept.update { try $0.accept(old.id, at: now) }
        #expect(try kept.see(old, as: "bob") == [])
        #expect(kept.recordStore.state(of: new.id) == .tofu)
    }

    @Test("A rotation counts only from its old identity's session, signed by it, and once")
    func refusedRotations() throws {
        var kept = try recordStore(verified: false)
        let mallory = Identity()
        let forged = RotationStatement(from: mallory, to: new, counter: 1, at: now)
        var bytes = rotation().bytes
        bytes.replaceSubrange(104..<168, with: forged.bytes[104..<168])
        let wrongSignature = try RotationStatement(verifying: bytes)
        let failures: [(RotationStatement, PeerID, CryptoError.Code)] = [
            (rotation(), mallory.id, .authenticationFailed), (rotation(), new.id, .authenticationFailed),
            (wrongSignature, old.id, .authenticationFailed), (forged, mallory.id, .unknownPeer),
            (rotation(counter: 0), old.id, .outOfBounds),
        ]
        for (statement, sender, code) in failures {
            #expect(throws: CryptoError(code, "")) {
                try kept.update { try $0.apply(statement, from: sender, at: now) }
            }
        }
        #expect(kept.recordStore.state(of: old.id) == .tofu && kept.recordStore[new.id] == nil)
        try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        #expect(throws: CryptoError(.outOfBounds, "")) {
            try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        }
    }

    @Test("Nobody goes on to a blocked or revoked identity, nor to oneself")
    func refusedSuccessors() throws {
        var kept = try recordStore(verified: false)
        _ = try kept.see(new, as: "new")
        try kept.update { try $0.block(new.id) }
        #expect(throws: CryptoError(.refusedByTrust, "")) {
            try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        }
        let toOwner = RotationStatement(from: old, to: kept.owner, counter: 1, at: now)
        #expect(throws: CryptoError(.refusedByTrust, "")) {
            try kept.update { try $0.apply(toOwner, from: old.id, at: now) }
        }
    }

    @Test("A statement reads back, and not with any byte changed, missing or added")
    func rotationBytes() throws {
        let bytes = rotation().bytes
        #expect(bytes.count == RotationStatement.byteCount)
        let read = try RotationStatement(verifying: bytes)
        #expect(read == rotation() && read.isSigned(by: old.publicIdentity))
        #expect(!read.isSigned(by: new.publicIdentity))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            guard let statement = try? RotationStatement(verifying: changed) else { continue }
            #expect((104..<168).contains(index) && !statement.isSigned(by: old.publicIdentity))
        }
        #expect(throws: CryptoError(.malformed, "")) { try RotationStatement(verifying: bytes + [0]) }
        #expect(throws: CryptoError(.malformed, "")) { try RotationStatement(verifying: Array(bytes.dropLast())) }
    }

    @Test("A revocation is the same bytes every time, ends trust for good, and tells so once")
    func revocation() throws {
        var kept = try recordStore(verified: true)
        let certificate = RevocationCertificate(of: old)
        #expect(certificate.bytes == RevocationCertificate(of: old).bytes)
        #expect(certificate.bytes.count == RevocationCertificate.byteCount)
        let read = try RevocationCertificate(verifying: certificate.bytes)
        #expect(try kept.update { $0.apply(read, at: now) } == [.revoked(old.id)])
        #expect(try kept.update { $0.apply(read, at: now) } == [])
        try kept.restart()
        #expect(kept.recordStore.state(of: old.id) == .revoked)
        #expect(throws: CryptoError(.refusedByTrust, "")) {
            try kept.update { try $0.apply(rotation(), from: old.id, at: now) }
        }
    }

    @Test(
        "Nobody can revoke another, and damaged statements never trap and never pass",
        arguments: [95, 96] as [UInt64]
    )
    func damage(seed: UInt64) throws {
        let certificate = RevocationCertificate(of: old).bytes
        let forged = old.publicIdentity.encoded + RevocationCertificate(of: new).bytes.suffix(64)
        #expect(throws: CryptoError(.authenticationFailed, "")) { try RevocationCertificate(verifying: forged) }
        let statement = rotation().bytes
        var random = SeededBytes(seed: seed)
        for _ in 0..<5_000 {
            #expect((try? RevocationCertificate(verifying: random.damaged(certificate))) == nil)
            let damaged = try? RotationStatement(verifying: random.damaged(statement))
            #expect(damaged?.isSigned(by: old.publicIdentity) ?? false == false)
        }
    }
}
