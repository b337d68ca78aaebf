import Earshot
import EarshotRPC
import Foundation
import Testing

@Suite("JSON of lines")
struct RPCCodingTests {
    @Test(
        "A time is written in UTC to the nearest millisecond, and within the years 1970 to 9999",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_700_000_000.123, "2023-11-14T22:13:20.123Z"),
            (1_700_000_000.9996, "2023-11-14T22:13:21.000Z"),
            (-0.001, "1970-01-01T00:00:00.000Z"),
            (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
            (1e300, "9999-12-31T23:59:59.999Z"),
            (-1e300, "1970-01-01T00:00:00.000Z"),
            (.infinity, "9999-12-31T23:59:59.999Z"),
        ] as [(Double, String)]
    )
    func times(seconds: Double, text: String) {
        #expect(Timestamp(Date(timeIntervalSince1970: seconds)).text == text)
    }

    @Test("Every millisecond comes back as it went", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let milliseconds = UInt64.random(in: 0...4_000_000_000_000, using: &random)
            let text = Timestamp(clamping: milliseconds).text
            let date = try #require(RPCCoding.date(of: text))
            #expect(Timestamp(date).milliseconds == milliseconds, "\(text)")
        }
    }

    @Test("Text that is no time is none", arguments: ["", "yesterday", "2023-11-14", "2023-13-14T22:13:20.123Z"])
    func noTime(text: String) {
        #expect(RPCCoding.date(of: text) == nil)
    }
}
