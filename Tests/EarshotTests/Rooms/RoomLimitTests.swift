import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Limits of rooms")
struct RoomLimitTests {
    private static let now: UInt32 = 1_800_000_000
    private static let room = GroupID(bytes: [UInt8](repeating: 7, count: 16))

    private static func bundle() throws -> PrekeyBundle {
        try SessionTable.restore([], identity: Identity(), nickname: nil, at: now).table.bundle
    }

    private static func beacons(_ count: Int, of room: GroupID) -> [RoomBeacon] {
        (0..<count).map { _ in
            var host = RoomHost(room: room, as: Identity(), admission: .open, at: now)
            return host.beacon(remainingSeconds: 60, at: now)
        }
    }

    /// Sends join requests to every discovered host, without any answer, until no attempt is left.
    private static func joinRequest(_ attempt: inout RoomJoinAttempt) -> (requestCount: Int, end: ChatError.Code?) {
        var requestCount = 0
        var step = attempt.proceed(at: .zero)
        while true {
            switch step {
            case .send: requestCount += 1
            case .failed(let error): return (requestCount, error.code)
            case .nothing, .decided: break
            }
            step = attempt.tick(at: attempt.deadline)
        }
    }

    @Test("A way in knows of so many hosts, and knocks at each so often")
    func discovered() throws {
        let room = try #require(Self.room)
        var attempt = RoomJoinAttempt(with: .open(room), bundle: try Self.bundle(), at: .zero)
        for beacon in Self.beacons(RoomRules.discoveredCount + 2, of: room) { attempt.discover(beacon, at: .zero) }
        let (requestCount, end) = Self.joinRequest(&attempt)
        #expect(requestCount == RoomRules.discoveredCount * RoomRules.joinRequestCount)
        #expect(end == .noAnswer)
    }

    @Test("With a typed code it knocks three times, however many hosts are heard, each of them once")
    func typed() throws {
        let room = try #require(Self.room)
        let hosts = (0..<5).map { _ in
            RoomHost(room: room, as: Identity(), admission: .code, at: Self.now)
        }
        let digits = try #require(hosts[0].code?.text)
        let code = try #require(RoomCode(digits))
        var attempt = RoomJoinAttempt(with: .code(code), bundle: try Self.bundle(), at: .zero)
        for var host in hosts { attempt.discover(host.beacon(remainingSeconds: 0, at: Self.now), at: .zero) }
        let (requestCount, end) = Self.joinRequest(&attempt)
        #expect(requestCount == RoomLimits.runsPerCode)
        #expect(end == .noAnswer)
    }

    @Test("A host whose door is shut is not knocked at, and that is told")
    func shut() throws {
        let room = try #require(Self.room)
        var host = RoomHost(room: room, as: Identity(), admission: .code, at: Self.now)
        let digits = try #require(host.code?.text)
        let code = try #require(RoomCode(digits))
        host.closeAdmission()
        var attempt = RoomJoinAttempt(with: .code(code), bundle: try Self.bundle(), at: .zero)
        attempt.discover(host.beacon(remainingSeconds: 0, at: Self.now), at: .zero)
        let (requestCount, end) = Self.joinRequest(&attempt)
        #expect(requestCount == 0)
        #expect(end == .admissionClosed)
    }

    @Test("A note brings so many bundles, and one with more is none")
    func bundles() throws {
        let room = try #require(Self.room)
        let bundle = try Self.bundle()
        for (count, isTaken) in [(RoomRules.bundleCount, true), (RoomRules.bundleCount + 1, false)] {
            let note = ControlMessage.bundles(room, Array(repeating: bundle, count: count))
            guard case .bundles(room, let read) = ControlMessage(decoding: note.encoded) else {
                #expect(!isTaken)
                continue
            }
            #expect(isTaken && read.count == count)
        }
        // A list with the longest nickname for each member, and its content frame, still fits one envelope.
        let longest = try SessionTable.restore(
            [],
            identity: Identity(),
            nickname: Nickname(String(repeating: "x", count: Nickname.maximumByteCount)),
            at: Self.now
        ).table.bundle
        let note = ControlMessage.bundles(room, Array(repeating: longest, count: RoomRules.bundleCount))
        let content = MessageContent.control(note, at: ChatTime(wall: 1, monotonic: .zero))
        #expect(content.count <= SessionLimits.maximumFirstContentByteCount)
    }
}
