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

    @Test("A link for a first message from afar keeps its token, and its hubs with their capital letters")
    func far() throws {
        let token = try #require(MailboxToken(bytes: Array(0..<16), day: 20_787))
        let hubs = ["tls://Club:P%40ss&=?@hub.example.org:4222", "tls://b.example.org"]
        for named in [[], [hubs[0]], hubs] {
            let code = IdentityCode(of: Self.alice, token, hubs: named)
            #expect(IdentityCode(code.text) == code && code.hubs == named && code.token == token)
            #expect(code.text.utf8.allSatisfy { 0x21...0x7E ~= $0 })
        }
        let text = IdentityCode(of: Self.alice, token, hubs: []).text
        #expect(text.hasSuffix("&far=000102030405060708090a0b0c0d0e0f&day=20787"))
        #expect(IdentityCode(text.uppercased()) == IdentityCode(text))
        // More and longer ones are left out.
        let long = "tls://" + String(repeating: "a", count: IdentityCode.hubByteCount)
        #expect(IdentityCode(of: Self.alice, token, hubs: [long, "", "a b", "ä"] + hubs + hubs).hubs == hubs)
        let wrong = [
            text + "&hub=", text + "&hub=%", text + "&hub=a%0Ab", text + "&hub=" + long, text + "&day=1",
            text + "&hub=a&hub=b&hub=c", text.replacing("&day=20787", with: ""), text.replacing("20787", with: "-1"),
            text.replacing("20787", with: "4294967296"), text.replacing("&far=00", with: "&far="),
        ]
        for text in wrong { #expect(IdentityCode(text) == nil, "\(text)") }
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
