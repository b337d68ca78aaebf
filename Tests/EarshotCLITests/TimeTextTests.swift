import Foundation
import Testing

@testable import EarshotCLI

@Suite("Spans of time")
struct TimeTextTests {
    @Test(
        "A span is read in its unit",
        arguments: [
            ("500ms", .milliseconds(500)), ("30s", .seconds(30)), ("30", .seconds(30)), ("2m", .seconds(120)),
            ("1h", .seconds(3_600)), ("0", .zero),
        ] as [(String, Duration)]
    )
    func read(text: String, span: Duration) {
        #expect(TimeText.duration(text) == span)
    }

    @Test("What is no span is refused", arguments: ["", "s", "-1s", "1.5s", "1d", "99999999999s", "٣s"])
    func refused(text: String) {
        #expect(TimeText.duration(text) == nil)
    }

    @Test("A moment is read with its zone, or in that of this machine")
    func moments() throws {
        let day = try #require(TimeText.date("2026-11-22"))
        let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day, .hour], from: day)
        #expect(parts == DateComponents(year: 2_026, month: 11, day: 22, hour: 0))
        #expect(TimeText.date("2026-11-22T09:30") == day.addingTimeInterval(34_200))
        #expect(TimeText.date("2026-11-22 09:30:05") == day.addingTimeInterval(34_205))
        let moment = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(TimeText.date("2023-11-14T22:13:20Z") == moment)
        #expect(TimeText.date("2023-11-14T23:13:20.500+01:00") == moment.addingTimeInterval(0.5))
    }

    @Test(
        "What is no moment is refused",
        arguments: ["", "yesterday", "2026-13-01", "2026-02-30", "26-1-1", "2026-11-22T25:00", "2026-11-22T9:00", "0c"]
    )
    func noMoment(text: String) {
        #expect(TimeText.date(text) == nil)
        #expect(EdgeArgument(argument: text) == nil)
    }

    @Test(
        "A span is written in its largest unit",
        arguments: [
            (.milliseconds(7), "7 ms"), (.seconds(90), "90 s"), (.seconds(600), "10 min"), (.seconds(9_000), "2 h"),
            (.seconds(200_000), "2 days"),
        ] as [(Duration, String)]
    )
    func written(span: Duration, text: String) {
        #expect(TimeText.span(span) == text)
    }
}
