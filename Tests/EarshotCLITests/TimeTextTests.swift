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

    @Test(
        "A timer is written in words, and as it is typed",
        arguments: [
            (30, "30 seconds", "30s"), (1, "1 second", "1s"), (60, "1 minute", "1m"), (300, "5 minutes", "5m"),
            (90, "90 seconds", "90s"), (5_400, "90 minutes", "90m"), (3_600, "1 hour", "1h"), (86_400, "1 day", "24h"),
            (604_800, "7 days", "168h"), (0, "0 seconds", "0s"), (-1, "0 seconds", "0s"),
            (.infinity, "277777 hours", "277777h"),
        ] as [(Double, String, String)]
    )
    func timers(seconds: Double, words: String, short: String) {
        if seconds.isFinite {
            #expect(TimeText.words(seconds: seconds) == words && TimeText.short(seconds: seconds) == short)
        } else {
            #expect(TimeText.words(seconds: seconds).hasSuffix("s") && TimeText.words(seconds: .nan) == "0 seconds")
        }
    }

    @Test("No number of seconds stops the command", arguments: [0, -1, 0.5, 1e9, 1e19, -1e300, .infinity, .nan])
    func extremes(seconds: Double) {
        let text = TimeText.span(seconds: seconds)
        #expect(text == (seconds == 0.5 ? "500 ms" : seconds >= 1e9 ? "11574 days" : "0 ms"))
    }
}
