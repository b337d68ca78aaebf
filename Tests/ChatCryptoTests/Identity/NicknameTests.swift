import Testing

@testable import ChatCrypto

@Suite("Nickname")
struct NicknameTests {
    @Test("A typed name is brought into composed form")
    func composition() throws {
        let decomposed = try Nickname("Jose\u{301}")
        #expect(decomposed.bytes == Array("Jos\u{e9}".utf8))
        #expect(decomposed == (try Nickname("Jos\u{e9}")))
    }

    @Test("A name is 1 to 32 bytes of UTF-8")
    func length() throws {
        #expect(try Nickname(String(repeating: "a", count: 32)).bytes.count == 32)
        #expect(throws: CryptoError(.nicknameTooLong, "")) { try Nickname(String(repeating: "a", count: 33)) }
        #expect(throws: CryptoError(.nicknameTooLong, "")) { try Nickname(String(repeating: "é", count: 17)) }
        #expect(throws: CryptoError(.nicknameEmpty, "")) { try Nickname("") }
        #expect(throws: CryptoError(.nicknameEmpty, "")) { try Nickname("  ") }
    }

    @Test("The known names are taken or refused, as those of groups", arguments: try VectorFile("names").cases)
    func knownNames(known: VectorCase) throws {
        let bytes = try known.bytes("name")
        let isTaken = try known.text("verdict") == "taken"
        #expect((try? Nickname(decoding: bytes)) == nil ? !isTaken : isTaken)
        #expect((GroupTitle(decoding: bytes) != nil) == isTaken)
    }

    @Test(
        "Of what the platform calls invisible, only joiners and selectors are ever taken, and nothing visible is refused"
    )
    func table() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isTaken = NameCharacters.areAllowed(in: "a" + String(scalar))
            switch scalar.properties.generalCategory {
            case .control, .format, .privateUse, .lineSeparator, .paragraphSeparator: #expect(!isTaken)
            case .unassigned: break
            default:
                let isFiller = [0x2800, 0x1D159, 0xFFFC].contains(value)
                #expect(isTaken != (scalar.properties.isDefaultIgnorableCodePoint || isFiller), "\(value)")
            }
        }
    }

    @Test("On the wire a name must be UTF-8 in composed form already")
    func wire() throws {
        #expect(try Nickname(decoding: Array("bob 🦊".utf8)).text == "bob 🦊")
        #expect(throws: CryptoError(.malformed, "")) { try Nickname(decoding: [0x62, 0xFF]) }
        #expect(throws: CryptoError(.nicknameForbidden, "")) { try Nickname(decoding: Array("Jose\u{301}".utf8)) }
    }

    @Test(
        "Names that look alike are confusable",
        arguments: [
            ("bob", "Bob"), ("bob", "b0b"), ("bob", "bоb"), ("Alice", "AIice"), ("Alice", "A1ice"),
            ("paypal", "раураl"),
            ("Emma", "Ernma"), ("will", "vvill"), ("bob", "b\u{332}ob"), ("bob", "b ob"), ("Ada", "Ａda"),
        ]
    )
    func confusables(one: String, other: String) throws {
        #expect(try Nickname(one).isConfusable(with: try Nickname(other)))
        #expect(try Nickname(one) != Nickname(other))
    }

    @Test("Names that do not look alike are not", arguments: [("bob", "rob"), ("Ann", "Anna"), ("eve", "ava")])
    func distinct(one: String, other: String) throws {
        #expect(!(try Nickname(one).isConfusable(with: try Nickname(other))))
    }
}
