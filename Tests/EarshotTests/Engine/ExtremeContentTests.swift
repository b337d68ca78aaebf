import ChatCrypto
import ChatHistory
import Foundation
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("No number of a peer stops a node")
struct ExtremeContentTests {
    private static let salt = [UInt8](repeating: 7, count: 16)

    /// Returns one content of each kind, with every number that it can have.
    private static func contents(of scene: ScriptedWorld, by peer: PeerID) throws -> [[UInt8]] {
        let target = Numbered.message(9)
        let group = try #require(GroupID(bytes: target.bytes))
        var text = ProtoContent()
        (text.sentAt, text.salt, text.order, text.expiresAfter) = (1_800_000_000_000, .init(salt), 1, 60)
        (text.replyTo, text.text.text) = (.init(target.bytes), "@Bob tea")
        text.mentions = [Mention(peer, at: 0..<4).encoded]
        var picture = ProtoFile()
        (picture.root, picture.key, picture.size) = (
            .init([UInt8](repeating: 1, count: 32)), .init([UInt8](repeating: 2, count: 32)), 70_000
        )
        (picture.name, picture.type) = ("a.png", "image/png")
        (picture.picture.width, picture.picture.height) = (3, 2)
        var voice = picture
        (voice.name, voice.type, voice.size) = ("a.ogg", "audio/ogg", 900)
        (voice.voice.duration, voice.voice.peaks) = (1_000, .init([UInt8](repeating: 9, count: 64)))
        text.text.files = [picture, voice]
        var long = text
        (long.text.text, long.text.files, long.mentions) = ("", [], [])
        (long.text.longText.root, long.text.longText.key, long.text.longText.size) = (picture.root, picture.key, 20_000)
        let time = ChatTime(wall: 1_800_000_000_000, monotonic: .zero)
        let context = MessageContext(seconds: 60)
        let bodies: [MessageContent.Body] = [.poll(Poll("Tea?", options: ["yes", "no"])), .timer(60, number: 1)]
        let messages = bodies.map {
            MessageContent.message(.init($0, sentAt: time.wall, order: 2, context: context), salt: salt)
        }
        let changes: [MessageChange] = [
            .react("🦊", isOn: true, number: 1), .edit("@Bob", mentions: [], number: 1), .delete, .vote(1, number: 1),
            .close(counting: [target]),
        ]
        let page = HistoryPage(
            from: HistoryCursor(place: 1 << 32, part: 1),
            next: HistoryCursor(place: 9, part: 0),
            records: [HistoryRecord(author: peer, content: messages[0], change: nil)]
        )
        let notes: [ControlMessage] = [
            .leave(group), .request(group, OperationRequest(from: 2)), .history(group, .request(.newest)),
            .history(group, .page(page)),
        ]
        return [MessageContent.encoded(text), MessageContent.encoded(long)] + messages
            + changes.map { MessageContent.change(of: target, $0, salt: salt, at: time) }
            + notes.map { MessageContent.control($0, at: time) }
            + [
                MessageContent.receipt(.init(delivered: [target]), salt: salt, at: time),
                MessageContent.statement(.rotation(salt), at: time.wall), ContentBytes.unknown(order: 3),
            ]
    }

    @Test("Every number of every content at its extremes is taken or refused, and all is shown, searched and exported")
    func contents() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        var count = 0
        for content in try Self.contents(of: scene, by: bob.id) {
            for variant in ExtremeNumbers.variants(of: content) {
                try scene.bring(variant, from: &bob)
                count += 1
            }
            try scene.alice.showAll(at: scene.now)
        }
        #expect(count > 400)
        scene.world.run(for: 100_000)
        try scene.alice.showAll(at: scene.now)
        try scene.world.restart(0)
        try scene.alice.showAll(at: scene.now)
        let ordinary = ContentBytes.text("still here", order: 4)
        try scene.bring(ordinary, from: &bob)
        #expect(try scene.texts(with: bob).contains("still here"))
    }

    @Test("A time beyond the year 9999 is no content, and one just before is shown", arguments: ExtremeNumbers.all)
    func sentAt(number: UInt64) throws {
        let content = MessageContent.decode(ContentBytes.text("tea", order: 1, sentAt: number))
        #expect((content != nil) == (number <= 253_402_300_799_999))
    }
}

@Suite("No number of a disk stops a node")
struct ExtremeRecordTests {
    /// Makes a node that has an entry in every table that it can fill alone.
    private static func scene() async throws -> GroupScene {
        let scene = try GroupScene()
        let (world, bob) = (scene.world, scene.world[1].id)
        let group = try scene.create(with: [1])
        try scene.say("hello", by: 1, in: group)
        try world.step(1) { [alice = world[0].id] in
            _ = try $0.send("hi", MessageOptions(expiresAfter: .seconds(900)), to: .direct(alice))
            _ = try $0.ask(Poll("Tea?", options: ["yes", "no"]), to: .direct(alice))
            _ = try $0.setTimer(.seconds(600), of: .direct(alice))
        }
        try await world.send(files: [[1, 2, 3]], from: 1, to: world[0].id)
        world.run(for: 20_000)
        let texts = try world[0].history(with: bob, at: world.now)
        try world.step(0) {
            for message in texts where message.kind != .system {
                try $0.react("🦊", to: message.id, isOn: true)
                try $0.markRead(.direct(bob), upTo: message.id)
            }
            _ = try $0.mute(.direct(bob), until: .latest)
            let retention = Retention(age: .seconds(86_400), messageCount: 9, byteCount: 99)
            try $0.setRetention(retention, of: .direct(bob))
            _ = try $0.send("waits", to: .direct(bob))
        }
        scene.world.run(for: 10)
        try scene.add(2, to: group, for: 10)
        return scene
    }

    @Test(
        "Every number of every record at its extremes is taken or refused, and the node goes on",
        arguments: RecordTable.allCases.filter { $0 != .keys && $0 != .digests }
    )
    func records(table: RecordTable) async throws {
        let scene = try await Self.scene()
        let (world, alice) = (scene.world, scene.world[0])
        let peer = world[1].id
        for record in try alice.records(table) {
            for variant in ExtremeNumbers.variants(of: record.plaintext) {
                try alice.whileSaying(variant, in: record, at: world.now) { engine in
                    _ = try? engine.showAll(at: world.now)
                    try? engine.begin()
                    try? engine.tick()
                    _ = try? engine.send("more", to: .direct(peer))
                    _ = try? engine.markRead(.direct(peer), upTo: nil)
                    _ = try? engine.showAll(at: world.now)
                }
            }
        }
    }
}

@Suite("Timestamps")
struct TimestampTests {
    @Test("Any date and any number becomes the nearest moment from 1970 to 9999")
    func clamping() {
        let extremes = [0, 1, -1, 1e9, 1e18, -1e18, .infinity, -.infinity, .nan, .greatestFiniteMagnitude]
        for seconds in extremes {
            let timestamp = Timestamp(.init(timeIntervalSince1970: seconds))
            #expect(timestamp <= .latest)
            if seconds == 1 { #expect(timestamp.milliseconds == 1_000) }
            if seconds < 0 || seconds.isNaN { #expect(timestamp.milliseconds == 0) }
            if seconds > 1e10 { #expect(timestamp == .latest) }
        }
        for number in ExtremeNumbers.all {
            let timestamp = Timestamp(clamping: number)
            #expect(timestamp.milliseconds == min(number, Timestamp.latest.milliseconds))
            #expect(Timestamp(timestamp.date) == timestamp)
        }
        #expect(Timestamp.latest.text == "9999-12-31T23:59:59.999Z")
    }
}
