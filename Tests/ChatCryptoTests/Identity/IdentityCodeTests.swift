import ChatCrypto
import Testing

@Suite("Codes of identities")
struct IdentityCodeTests {
    private static let (alice, bob) = (Identity().id, Identity().id)

    @Test("A code is read back, in capital letters and with white space around it too")
    func roundTrip() {
        for code in [IdentityCode(of: Self.alice), IdentityCode(of: Self.alice, for: Self.bob)] {
            #expect(IdentityCode(code.text) == code)
            #expect(IdentityCode(" \n" + code.text.uppercased() + "\r\n") == code)
        }
    }

    @Test("What is cut, longer, or something else is no code")
    func refusals() {
        let text = IdentityCode(of: Self.alice, for: Self.bob).text
        for count in 0..<text.count where count != 80 { #expect(IdentityCode(String(text.prefix(count))) == nil) }
        let wrong = [
            text + "0", text + "&x=1", text.replacing("peer", with: "room"), text.replacing("&with=", with: "&with"),
            String(repeating: " ", count: 1_000) + text + String(repeating: " ", count: 1_000), Self.alice.description,
        ]
        for text in wrong { #expect(IdentityCode(text) == nil) }
    }

    @Test("A scanned code verifies only whom it is of, and only if it is for this node or for anybody")
    func verification() throws {
        var kept = KeptBook()
        let (bob, mallory) = (Identity(), Identity())
        _ = try kept.see(bob, as: "bob")
        let wrong = [
            IdentityCode(of: mallory.id), IdentityCode(of: kept.owner.id), IdentityCode(of: bob.id, for: mallory.id),
            IdentityCode(of: bob.id, for: bob.id),
        ]
        for code in wrong {
            #expect(throws: CryptoError(.numberMismatch, "")) {
                try kept.update { try $0.verify(bob.id, scanned: code, at: KeptBook.now) }
            }
            #expect(kept.recordStore.state(of: bob.id) == .unknown)
        }
        for code in [IdentityCode(of: bob.id), IdentityCode(of: bob.id, for: kept.owner.id)] {
            let events = try kept.update { try $0.verify(bob.id, scanned: code, at: KeptBook.now) }
            #expect(events == [.verified(bob.id)] && kept.recordStore.state(of: bob.id) == .verified)
        }
    }
}
