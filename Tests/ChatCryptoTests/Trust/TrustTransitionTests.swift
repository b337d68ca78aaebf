import Testing

@testable import ChatCrypto

/// A step that can change the trust state of a contact.
enum TrustStep: String, CaseIterable {
    case see, pin, accept, compare, compareWrongly, block, unblock, claim, rotate, revoke
}

@Suite("Trust transitions")
struct TrustTransitionTests {
    /// The resulting state of each step from each state; a step that is not listed is refused or changes nothing.
    static let table: [(from: TrustState, step: TrustStep, to: TrustState)] = [
        (.unknown, .pin, .tofu), (.unknown, .accept, .tofu), (.unknown, .compare, .verified),
        (.unknown, .block, .blocked), (.unknown, .revoke, .revoked),
        (.tofu, .compare, .verified), (.tofu, .block, .blocked), (.tofu, .claim, .changed), (.tofu, .revoke, .revoked),
        (.verified, .block, .blocked), (.verified, .claim, .changed), (.verified, .rotate, .changed),
        (.verified, .revoke, .revoked),
        (.changed, .accept, .tofu), (.changed, .compare, .verified), (.changed, .block, .blocked),
        (.changed, .revoke, .revoked), (.changed, .rotate, .tofu),
        (.blocked, .unblock, .tofu), (.blocked, .revoke, .revoked),
    ]

    static let cases = TrustState.allCases.flatMap { state in TrustStep.allCases.map { (state, $0) } }

    private static func recordStore(with contact: Identity, in state: TrustState) throws -> KeptBook {
        var kept = KeptBook()
        _ = try kept.see(contact, as: "bob")
        let id = contact.id
        switch state {
        case .unknown: break
        case .tofu: try kept.update { try $0.pin(id) }
        case .verified:
            let number = kept.number(with: contact)
            try kept.update { try $0.verify(id, typed: number, at: KeptBook.now) }
        case .changed:
            try kept.update { try $0.pin(id) }
            _ = try kept.see(Identity(), as: "bob")
        case .revoked: try kept.update { $0.apply(RevocationCertificate(of: contact), at: KeptBook.now) }
        case .blocked: try kept.update { try $0.block(id) }
        }
        return kept
    }

    @Test("Every step from every state leads where the table says", arguments: cases)
    func transition(state: TrustState, step: TrustStep) throws {
        let bob = Identity()
        let next = Identity()
        var kept = try Self.recordStore(with: bob, in: state)
        #expect(kept.recordStore.state(of: bob.id) == state)
        let number = kept.number(with: bob)
        let id = bob.id
        _ = try? kept.update { recordStore throws in
            switch step {
            case .see: recordStore.see(try KeptBook.bundle(of: bob, nickname: "bob", sequence: 2), at: KeptBook.now)
            case .pin: try recordStore.pin(id)
            case .accept: try recordStore.accept(id, at: KeptBook.now)
            case .compare: try recordStore.verify(id, typed: number, at: KeptBook.now)
            case .compareWrongly: try recordStore.verify(id, typed: String(number.reversed()), at: KeptBook.now)
            case .block: try recordStore.block(id)
            case .unblock: try recordStore.unblock(id)
            case .claim: recordStore.see(try KeptBook.bundle(of: Identity(), nickname: "bob"), at: KeptBook.now)
            case .rotate:
                try recordStore.apply(
                    RotationStatement(from: bob, to: next, counter: 1, at: KeptBook.now),
                    from: id,
                    at: KeptBook.now
                )
            case .revoke: recordStore.apply(RevocationCertificate(of: bob), at: KeptBook.now)
            }
        }
        let expected = Self.table.first { $0.from == state && $0.step == step }?.to ?? state
        #expect(kept.recordStore.state(of: bob.id) == expected)
        // If others claim the name of a contact, the claim applies to the contact's new identity too.
        let follows = step == .rotate && (state == .tofu || state == .changed)
        #expect(kept.recordStore.state(of: next.id) == (follows ? state : .unknown))
        // A restart forgets unknown peers and nothing else.
        let isPinned = kept.recordStore[bob.id]?.isPinned ?? false
        try kept.restart()
        #expect(kept.recordStore.state(of: bob.id) == (isPinned ? expected : .unknown))
    }

    @Test("Only unknown, first-used and verified contacts may be sent to", arguments: TrustState.allCases)
    func sending(state: TrustState) throws {
        let bob = Identity()
        let recordStore = try Self.recordStore(with: bob, in: state).recordStore
        #expect(recordStore.maySend(to: bob.id) == [.unknown, .tofu, .verified].contains(state))
        #expect(recordStore.mayReceive(from: bob.id) == ![.revoked, .blocked].contains(state))
    }

    @Test("What the state does not allow is refused by name")
    func refusals() throws {
        let bob = Identity()
        var revoked = try Self.recordStore(with: bob, in: .revoked)
        let id = bob.id
        let number = revoked.number(with: bob)
        #expect(throws: CryptoError(.refusedByTrust, "")) { try revoked.update { try $0.accept(id, at: 0) } }
        #expect(throws: CryptoError(.refusedByTrust, "")) {
            try revoked.update { try $0.verify(id, typed: number, at: 0) }
        }
        #expect(throws: CryptoError(.refusedByTrust, "")) { try revoked.update { try $0.block(id) } }
        #expect(throws: CryptoError(.refusedByTrust, "")) { try revoked.update { try $0.unblock(id) } }
        var blocked = try Self.recordStore(with: bob, in: .blocked)
        #expect(throws: CryptoError(.refusedByTrust, "")) { try blocked.update { try $0.accept(id, at: 0) } }
        var tofu = try Self.recordStore(with: bob, in: .tofu)
        let wrong = String(tofu.number(with: bob).reversed())
        #expect(throws: CryptoError(.numberMismatch, "")) {
            try tofu.update { try $0.verify(id, typed: wrong, at: 0) }
        }
        #expect(throws: CryptoError(.unknownPeer, "")) { try tofu.update { try $0.pin(Identity().id) } }
    }
}
