import Testing

@testable import EarshotCLI

@Suite("Progress of files")
struct FileProgressTests {
    @Test(
        "Sizes are told in the largest unit of which there is one",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_048_575, "1023.9 KiB"), (5 << 20, "5.0 MiB"),
            (4 << 30, "4.0 GiB"), (5_000 << 30, "5000.0 GiB"),
        ]
    )
    func sizes(byteCount: Int, text: String) {
        #expect(FileProgress.size(byteCount) == text)
    }

    @Test("A line tells the share, and nothing of what is no file is missing")
    func lines() {
        let half = FileProgress(message: "", index: 0, byteCount: 1 << 20, total: 3 << 20)
        #expect(half.line("film.mp4") == "film.mp4  33 %  1.0 MiB of 3.0 MiB")
        let long = String(repeating: "語", count: 30)
        #expect(half.line(long) == String(repeating: "語", count: 19) + "…  33 %  1.0 MiB of 3.0 MiB")
        #expect(FileProgress(message: "", index: 0, byteCount: 0, total: 0).line("a") == "a  100 %  0 B of 0 B")
    }

    @Test("Files are called by their names, those of messages of long ago by their numbers")
    func names() {
        var names = FileNames()
        names.add(["a.txt", "b\u{1B}.txt"], of: "first")
        #expect(names["first", 1] == "b\\u{1b}.txt")
        #expect(names["first", 2] == "file 3")
        #expect(names["other", 0] == "file 1")
        for number in 1...FileNames.messageCount { names.add(["c"], of: "\(number)") }
        #expect(names["first", 0] == "file 1")
        #expect(names["1", 0] == "c")
    }
}
