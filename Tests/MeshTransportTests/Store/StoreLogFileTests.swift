import Foundation
import NIOCore
import Testing

@testable import MeshCore
@testable import MeshTransport

@Suite("The log of a store on disk")
struct StoreLogFileTests {
    private let records: [StoreRecord] = [.shelf(place: 9, depth: 0), .held(1), .held(2, isOwn: true)]

    @Test("What was written is there for the next start, and only the owner may read it")
    func persists() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        #expect(try await log.load(at: .at(0, wall: 1_000)) == .init(records: [], damageCount: 0))
        _ = try await log.append(records, at: .at(0, wall: 1_000))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.log.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        // The test does not close the log: a killed process leaves it in this state.
        #expect(try await folder.contents() == .init(records: records, damageCount: 0))
    }

    @Test("Lives go on while the node runs by its own clock, and while it is off by the wall clock")
    func lives() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(500, wall: 1_000))
        _ = try await log.append([.held(1)], at: .at(500, wall: 1_000))
        // The wall clock jumps a year ahead, and then back: only the node's own clock counts while the node runs.
        _ = try await log.append([.held(2)], at: .at(600, wall: 31_000_000))
        try await log.end(at: .at(700, wall: 1_200))
        let records = try await folder.contents(wall: 1_300).records
        let lives = records.map { record -> UInt16 in
            if case .held(let envelope, _, _, _, _) = record { envelope.life } else { 0 }
        }
        #expect(lives == [0, 70, 80] && records.first == .rested(.seconds(100)))
    }

    @Test("A log cut off at any byte opens, and goes on")
    func torn() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        let start = try folder.bytes.count
        _ = try await log.append([.held(1)], at: .at(0, wall: 1_000))
        let end = try folder.bytes.count
        let bytes = try folder.bytes
        for length in 0..<end {
            try folder.write(bytes.prefix(length))
            let again = folder.makeLog()
            #expect(try await again.load(at: .at(0, wall: 1_000)) == .init(records: [], damageCount: 0))
            _ = try await again.append([.held(2)], at: .at(0, wall: 1_000))
            #expect(try await folder.contents() == .init(records: [.held(2)], damageCount: 0))
        }
        #expect(start < end)
    }

    @Test("Damage in the middle is passed over and counted")
    func damaged() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        let place = try await log.append([.held(1)], at: .at(0, wall: 1_000))
        _ = try await log.append([.held(2), .held(3)], at: .at(0, wall: 1_000))
        var bytes = try folder.bytes
        bytes[place + 20] ^= 0x40
        try folder.write(bytes)
        #expect(try await folder.contents() == .init(records: [.held(1), .held(3)], damageCount: 1))
    }

    @Test("Writing anew leaves what counts, in one step")
    func rewriting() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        for _ in 0..<50 { _ = try await log.append(records, at: .at(0, wall: 1_000)) }
        let before = await log.byteCount
        let after = try await log.rewrite(records, at: .at(0, wall: 1_000))
        #expect(after < before / 20)
        _ = try await log.append([.held(3)], at: .at(0, wall: 1_000))
        #expect(try folder.names == ["mesh.log"])
        let expected = records + [.held(3)]
        #expect(try await folder.contents() == .init(records: expected, damageCount: 0))
    }

    @Test("What a crash left of writing anew does no harm")
    func crashedRewriting() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        _ = try await log.append(records, at: .at(0, wall: 1_000))
        try Data([1, 2, 3]).write(to: folder.log.appendingPathExtension("new"))
        #expect(try await folder.contents().records == records)
        #expect(try folder.names == ["mesh.log"])
    }

    @Test("A file that is no log, or one of a later version, is refused and left alone")
    func foreign() async throws {
        let later: [UInt8] = Self.frame([0] + Array("earshot mesh log".utf8) + [2, 9])
        for bytes in [Array("something that somebody needs, and long enough".utf8), [1], later] {
            let folder = try StoreFolder()
            try folder.write(bytes)
            let error = await #expect(throws: MeshTransportError.self) { try await folder.contents() }
            #expect(error?.code == .storeUnusable)
            #expect(try folder.bytes == bytes)
        }
    }

    @Test("A folder that is not there, and what is no file, are refused")
    func noFile() async throws {
        let folder = try StoreFolder()
        for path in [folder.log.path + "/deeper", folder.log.deletingLastPathComponent().path] {
            let log = StoreLog(path: path, sizeLimit: 1_000)
            let error = await #expect(throws: MeshTransportError.self) { try await log.load(at: .at(0, wall: 0)) }
            #expect(error?.code == .storeUnusable)
        }
    }

    @Test("No more of a log is read than its limit")
    func sizeLimit() async throws {
        let folder = try StoreFolder()
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        let place = try await log.append([.held(1)], at: .at(0, wall: 1_000))
        _ = try await log.append([.held(2, byteCount: 10_000)], at: .at(0, wall: 1_000))
        let again = folder.makeLog(sizeLimit: place + 5_000)
        #expect(try await again.load(at: .at(0, wall: 1_000)).records == [.held(1)])
        #expect(try folder.bytes.count < place + 100)
    }

    @Test(
        "On a full disk the log stays as it was, and goes on when there is room",
        .enabled(if: StoreFolder.canBeSmall, Comment(rawValue: StoreFolder.need))
    )
    func fullDisk() async throws {
        let folder = try StoreFolder(kibibytes: 64)
        let log = folder.makeLog()
        _ = try await log.load(at: .at(0, wall: 1_000))
        _ = try await log.append(records, at: .at(0, wall: 1_000))
        try folder.fill(true)
        let large = (10..<40).map { StoreRecord.held($0, byteCount: 4_000) }
        let appending = await #expect(throws: IOError.self) { try await log.append(large, at: .at(5, wall: 1_005)) }
        let anew = await #expect(throws: IOError.self) { try await log.rewrite(large, at: .at(5, wall: 1_005)) }
        #expect([appending?.errnoCode, anew?.errnoCode] == [ENOSPC, ENOSPC])
        #expect(try folder.names == ["filler", "mesh.log"])
        try folder.fill(false)
        _ = try await log.append([.held(3)], at: .at(5, wall: 1_005))
        #expect(try await folder.contents().records.count == 4)
        _ = try await log.rewrite(Array(records.prefix(1)), at: .at(5, wall: 1_005))
        #expect(try await folder.contents().records == Array(records.prefix(1)))
    }

    @Test(
        "A log that a full disk keeps from being begun is begun when there is room",
        .enabled(if: StoreFolder.canBeSmall, Comment(rawValue: StoreFolder.need))
    )
    func begunLater() async throws {
        let folder = try StoreFolder(kibibytes: 64)
        try folder.fill(true)
        let log = folder.makeLog()
        #expect(try await log.load(at: .at(0, wall: 1_000)).records == [])
        #expect(await !log.isSound)
        try folder.fill(false)
        _ = try await log.rewrite(records, at: .at(0, wall: 1_000))
        #expect(await log.isSound)
        #expect(try await folder.contents().records == records)
    }

    private static func frame(_ body: [UInt8]) -> [UInt8] {
        var check = CRC32()
        check.add([0, UInt8(body.count)] + body)
        return [0xE5, 0x10, 0, UInt8(body.count)] + withUnsafeBytes(of: check.value.bigEndian) { Array($0) } + body
    }
}
