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

    @Test("No number of seconds stops the command", arguments: [0, -1, 0.5, 1e9, 1e19, -1e300, .infinity, .nan])
    func extremes(seconds: Double) {
        let text = TimeText.span(seconds: seconds)
        #expect(text == (seconds == 0.5 ? "500 ms" : seconds >= 1e9 ? "11574 days" : "0 ms"))
    }
}
