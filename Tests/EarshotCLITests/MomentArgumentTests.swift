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
            ("2027-01-15T08:00:00.500Z", 1_800_000_000.5), ("30m", 1_800_000_000 - 1_800),
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
        arguments: ["", "yesterday", "2027-13-01", "2027-02-30", "12", "-1d", "2027-1-1"]
    )
    func refused(text: String) {
        #expect(MomentArgument.date(of: text, now: Self.now, zone: .gmt) == nil)
    }
}
