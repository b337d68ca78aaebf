import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// A data directory, damaged at many places.
///
/// Everything that still opens is right, the node reports everything that does not, and overwrites nothing.
///
/// `EARSHOT_SEEDS` is the number of places for each kind of data directory. The number of a place is its seed.
@Suite("Homes damaged by chance", .timeLimit(.minutes(30)))
struct DamageTests {
    private static let count = ProcessInfo.processInfo.environment["EARSHOT_SEEDS"].flatMap(UInt64.init) ?? 30

    @Test(
        "Wherever a home is damaged no text is wrong, no message goes without being told, and all that opens is rescued",
        arguments: [false, true]
    )
    func damaged(isOpen: Bool) async throws {
        let known = try await TestHome.talkative(isOpen: isOpen)
        try #require(known.messages.count > 60)
        try #require((known.files[DamagedHome.log] != nil) == isOpen)
        var (refused, told) = (0, 0)
        for seed in 1...Self.count {
            let blow = Blow(seed: seed, known)
            try await rescue(blow, known)
            switch try await open(blow, known) {
            case .refused: refused += 1
            case .told: told += 1
            case .whole: break
            }
        }
        // Both outcomes have to happen, or the test would show little.
        #expect(refused > 0 && told > 0, "\(refused) refused, \(told) told")
        print("damages: \(Self.count), refused \(refused), told \(told)")
    }

    /// The outcome of opening a data directory.
    private enum Outcome {
        case refused, told, whole
    }

    private func open(_ blow: Blow, _ known: DamagedHome) async throws -> Outcome {
        let home = try TestHome(copying: blow.files)
        let node: ChatNode
        do {
            node = try await ChatNode.open(.directory(home.directory))
        } catch {
            #expect([.homeCorrupt, .homeNewer, .homeUnusable].contains(error.code), "\(blow): \(error)")
            let after = try home.files()
            for (name, bytes) in blow.files where name != "lock" {
                #expect(after[name] == bytes, "\(blow): \(name) was changed")
            }
            return .refused
        }
        var shown: Set<MessageID> = []
        var failures: [ChatError] = []
        for conversation in Set(known.messages.values.map(\.conversation)) {
            do {
                for message in try await node.conversation(conversation).history(limit: 1_000) {
                    let right = known.messages[message.id]
                    #expect(right?.text == message.text && right?.conversation == message.conversation, "\(blow)")
                    shown.insert(message.id)
                }
            } catch {
                failures.append(error)
            }
        }
        var signs = 0
        do {
            signs = try await node.history.check().signs.count
        } catch {
            failures.append(error)
        }
        if let peer = known.messages.values.lazy.compactMap({ $0.conversation.peer }).first {
            // The damaged store may refuse the write. The node must not trap.
            _ = try? await node.conversation(.direct(peer)).send("more")
        }
        await node.stop()
        #expect(failures.allSatisfy { $0.code == .homeCorrupt }, "\(blow): \(failures)")
        let isWhole = shown.count == known.messages.count
        #expect(isWhole || signs > 0 || !failures.isEmpty, "\(blow): \(known.messages.count - shown.count) not told")
        return isWhole && signs == 0 && failures.isEmpty ? .whole : .told
    }

    private func rescue(_ blow: Blow, _ known: DamagedHome) async throws {
        let home = try TestHome(copying: blow.files)
        let scene = try FileScene()
        let place = scene.folder.appending(path: "saved")
        let expected = known.places.filter { $0.value.isDisjoint(with: blow.touched) }.keys
        let rescue: HistoryRescue
        do {
            rescue = try HistoryRescue(home: home.directory)
        } catch {
            // Too little of the file remains for any row.
            #expect(error.code == .homeCorrupt && expected.isEmpty, "\(blow): \(error)")
            return
        }
        let report = try await rescue.export(to: place)
        var saved: Set<MessageID> = []
        for line in try RescuedLine.read(place) {
            guard let message = line.message else { continue }
            #expect(known.messages[message.id]?.text == message.text, "\(blow)")
            saved.insert(message.id)
        }
        let lost = expected.filter { !saved.contains($0) }
        #expect(lost.isEmpty, "\(blow): \(lost.count) of \(expected.count) on whole pages are not saved")
        #expect(saved.count == report.messageCount)
        #expect(try home.files() == blow.files, "\(blow): the home was written to")
    }
}

extension ConversationID {
    var peer: PeerID? {
        if case .direct(let peer) = self { peer } else { nil }
    }
}

/// A line of an export, as another program reads it.
struct RescuedLine {
    let fields: [String: Any]

    static func read(_ place: URL) throws -> [RescuedLine] {
        try Data(contentsOf: place).split(separator: UInt8(ascii: "\n")).map { line in
            RescuedLine(fields: try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]))
        }
    }

    var message: (id: MessageID, text: String)? {
        guard fields["type"] as? String == "message", let text = fields["text"] as? String,
            let id = (fields["id"] as? String).flatMap(MessageID.init(hex:))
        else { return nil }
        return (id, text)
    }
}
