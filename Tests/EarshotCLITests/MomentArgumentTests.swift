import Foundation
import Testing

@testable import EarshotCLI

@Suite("Moments")
struct MomentArgumentTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        "A moment is read as a day, a time of the zone, RFC 3339, or how long ago",
        arguments: [
            ("2027-01-15", 1_799_971_200 - 3_600), ("2027-01-15 09:00", 1_800_000_000),
            ("2027-01-15 09:00:01", 1_800_000_001), ("2027-01-15T08:00:00Z", 1_800_000_000),
            ("2027-01-15T09:00", 1_800_000_000), ("2027-01-15T09:00:01", 1_800_000_001),
            ("2027-01-15T08:00:00.500Z", 1_800_000_000.5), ("2027-01-15T10:00:00+02:00", 1_800_000_000),
            ("30m", 1_800_000_000 - 1_800),
            ("24h", 1_800_000_000 - 86_400),
            ("7d", 1_800_000_000 - 604_800),
        ] as [(String, Double)]
    )
    func read(text: String, seconds: Double) throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3_600))
        #expect(MomentArgument.date(of: text, now: Self.now, zone: zone)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "What is no moment is refused",
        arguments: [
            "", "yesterday", "2027-13-01", "2027-02-30", "12", "-1d", "2027-1-1", "2027-01-15T25:00", "2027-01-15T9:00",
            "2027T01-15", "0c",
        ]
    )
    func refused(text: String) {
        #expect(MomentArgument.date(of: text, now: Self.now, zone: .gmt) == nil)
        #expect(EdgeArgument(argument: text) == nil)
    }

    @Test("An edge is a message or a moment")
    func edges() {
        let id = String(repeating: "aB", count: 16)
        #expect(EdgeArgument(argument: id)?.text == id.lowercased())
        #expect(EdgeArgument(argument: "2027-01-15T08:00:00Z")?.text == "2027-01-15T08:00:00.000Z")
        #expect(EdgeArgument(argument: "7d") != nil)
    }
}
