/// The code that admits a peer to a room: two digits that distinguish the room, and six secret digits.
///
/// Only the six digits are secret. The two digits, the door number, follow from the room's public ID. Source:
/// PROTOCOL §17.
public struct RoomCode: Sendable {
    /// The door number of the rooms that the code can be for, 0 to 99.
    public let door: Int
    /// The six digits in ASCII.
    let secret: SecretBytes

    private static let digitCount = 6

    /// Makes a random code for a room.
    init(for room: GroupID) {
        door = Self.door(of: room)
        var number = Self.draw()
        // The loop draws again if the remainder of the division would make some codes more likely.
        while number >= 4_294_000_000 { number = Self.draw() }
        secret = SecretBytes(copying: Self.digits(number % 1_000_000, count: Self.digitCount).utf8)
    }

    /// Reads a typed code: eight digits, with spaces and dashes at any position.
    public init?(_ typed: String) {
        let ignored: Set<Character> = ["-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}"]
        let digits = typed.filter { !$0.isWhitespace && !ignored.contains($0) }
        guard digits.utf8.count == 2 + Self.digitCount, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let door = Int(digits.prefix(2))
        else { return nil }
        self.door = door
        secret = SecretBytes(copying: digits.utf8.dropFirst(2))
    }

    /// The text of the code, such as `47-482913`.
    public var text: String {
        Self.digits(UInt32(door), count: 2) + "-" + secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Computes the door number of a room: `H("earshot/v1/door", room)` as a number, its last two digits.
    public static func door(of room: GroupID) -> Int {
        SHA256.hash(label: Label.door, room.bytes).reduce(0) { ($0 << 8 | Int($1)) % 100 }
    }

    private static func draw() -> UInt32 {
        randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func digits(_ number: UInt32, count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
