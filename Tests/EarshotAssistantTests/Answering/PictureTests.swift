import Foundation
import Testing

@testable import EarshotAssistant

@Suite("Pictures of questions")
struct PictureTests {
    private let picture = Picture(type: "image/png", bytes: [1, 2, 3])

    private func trial() -> SchedulerTrial { SchedulerTrial { $0.seesPictures = true } }

    @Test("A picture is read before the model is asked, which has it with the text, and later prompts the text alone")
    func seeing() {
        var trial = trial()
        #expect(trial.ask("what is this?", pictures: [3]) == [.loadPictures(Samples.message(1))])
        #expect(trial.scheduler.answers.isEmpty && trial.scheduler.watchedPeers == [Samples.alice])
        let begun = trial.scheduler.see([picture], of: Samples.message(1), at: trial.now)
        #expect(begun == [.begin(1, [PromptMessage(.user, "what is this?", [picture])])])
        #expect(trial.scheduler.see([picture], of: Samples.message(1), at: trial.now).isEmpty)
        _ = trial.says("a dot", 1) + trial.ends(1)
        let words = [PromptMessage(.user, "what is this?"), PromptMessage(.assistant, "a dot")]
        #expect(trial.ask("sure?") == [.begin(2, words + [PromptMessage(.user, "sure?")])])
        // A picture alone is a question too.
        #expect(
            trial.ask("", pictures: [3]) == [
                .cancel(2), .told("(Stopped: you sent another message.)", 2), .loadPictures(Samples.message(3)),
            ]
        )
        _ =
            trial.scheduler.see([picture], of: Samples.message(3), at: trial.now) + trial.says("a dot", 3)
            + trial.ends(3)
        #expect(trial.ask("sure?").compactMap(\.prompt).first?.suffix(3) == ["(A picture.)", "a dot", "sure?"])
    }

    @Test("Without leave to look, and beside other files or above 4 MiB together, pictures are refused in words")
    func refusals() {
        var blind = SchedulerTrial()
        #expect(blind.ask("look", pictures: [3]) == [.told("I read only text, no pictures or files.", 1)])
        var trial = trial()
        let other = "I read only text and pictures. Send a picture as a picture, not as a file."
        #expect(trial.ask("look", hasFiles: true) == [.told(other, 1)])
        let large = "The pictures are too large: I look at 4 MiB together."
        #expect(trial.ask("look", pictures: [4 << 20, 1]) == [.told(large, 2)])
        #expect(trial.ask("look", pictures: [.max, .max]) == [.told(large, 3)])
        #expect(trial.ask("look", pictures: [4 << 20]) == [.loadPictures(Samples.message(4))])
        // Each picture counts as a fixed number of tokens.
        var small = SchedulerTrial {
            $0.seesPictures = true
            $0.contextTokenCount = 1_000
        }
        _ = small.ask("look", pictures: [3])
        let told = small.scheduler.see([picture], of: Samples.message(1), at: small.now)
        #expect(told == [.told("Your message is too long: I read about 1000 tokens.", 1)])
    }

    @Test(
        "Pictures that do not come, come too late or are none end their question, and so does what its asker says next"
    )
    func missing() {
        var trial = trial()
        let missed = "The pictures have not arrived, or I cannot read them. Send them again."
        _ = trial.ask("q1", pictures: [3])
        #expect(trial.scheduler.miss(Samples.message(1)) == [.told(missed, 1)])
        #expect(trial.scheduler.watchedPeers.isEmpty && trial.scheduler.nextDeadline == nil)
        _ = trial.ask("q2", by: Samples.bob, pictures: [3])
        #expect(trial.wait(.seconds(29)).isEmpty)
        for _ in 0..<4 {
            trial.scheduler.noteSeen(Samples.bob, at: trial.now)
            _ = trial.wait(.seconds(20))
        }
        trial.scheduler.noteSeen(Samples.bob, at: trial.now)
        #expect(trial.wait(.seconds(11)) == [.told(missed, 2, to: Samples.bob)])
        _ = trial.ask("q3", pictures: [3])
        #expect(trial.ask("q4").first == .told("(Not answered: you sent another message.)", 3))
        _ = trial.ask("q5", pictures: [3])
        #expect(trial.ask("/stop") == [.told("(Stopped.)", 5)])
    }

    @Test("The pictures of eight questions are waited for at once")
    func limit() {
        var trial = trial()
        for number in 1...8 { _ = trial.ask("q", by: Samples.peer(UInt8(number)), pictures: [3]) }
        let told = "Pictures of 8 questions are still arriving. Ask again later."
        #expect(trial.ask("q", by: Samples.peer(9), pictures: [3]) == [.told(told, 9, to: Samples.peer(9))])
        #expect(trial.scheduler.loading.count == AssistantLimits.pictureLoadCount)
        #expect(trial.scheduler.end(at: trial.now).count == 8 && trial.scheduler.loading.isEmpty)
    }

    @Test("A question without pictures is a text for the model, one with them parts, each picture within itself")
    func parts() throws {
        func json(_ message: PromptMessage) throws -> NSDictionary? {
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(message)) as? NSDictionary
        }
        #expect(try json(PromptMessage(.user, "q")) == ["role": "user", "content": "q"])
        let shown: [String: Any] = ["type": "image_url", "image_url": ["url": "data:image/png;base64,AQID"]]
        let text: [String: Any] = ["type": "text", "text": "q"]
        #expect(try json(PromptMessage(.user, "q", [picture])) == ["role": "user", "content": [text, shown]])
        #expect(try json(PromptMessage(.user, " ", [picture])) == ["role": "user", "content": [shown]])
    }
}
