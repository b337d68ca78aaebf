import ChatCrypto
import Earshot
import Foundation
import MeshCore

@testable import ChatCore

/// Files with known bytes, and a folder for copies.
///
/// Both are removed when the instance is freed.
final class FileScene: Sendable {
    let folder: URL
    /// The folder for copies.
    var copies: URL { folder.appending(path: "copies") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "earshot-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns bytes that look random, the same for the same count.
    static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(count))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        // The loop appends eight bytes at a time. Otherwise a debug build takes seconds for megabytes.
        while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    /// Makes a file.
    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url
    }

    /// Returns the bytes of a file of a message, from a copy.
    func content(of message: MessageID, _ index: Int = 0, at node: ChatNode) async throws -> [UInt8] {
        let copy = try await node.conversations.holding(message).saveFile(message, index: index, to: copies)
        defer { try? FileManager.default.removeItem(at: copy) }
        return [UInt8](try Data(contentsOf: copy))
    }
}

extension EngineWorld {
    /// Sends files with these bytes and returns the id of the message.
    @discardableResult
    func send(
        _ text: String = "",
        files: [[UInt8]],
        from index: Int = 0,
        to peer: PeerID
    ) async throws -> MessageID {
        let scene = try FileScene()
        var sealed: [SealedFile] = []
        for (number, bytes) in files.enumerated() {
            let draft = FileDraft(try scene.file("\(number).bin", bytes))
            sealed.append(try await nodes[index].blobs.seal(draft, limit: ChatLimits.smallBlobByteCount))
        }
        var id: MessageID?
        try step(index) { id = try $0.send(text, files: sealed, to: .direct(peer)).id }
        guard let id else { throw ChatError(.notFound, "Nothing was sent.") }
        return id
    }

    /// Sends a text that is too long for a content.
    func send(longText: String, from index: Int = 0, to peer: PeerID) async throws {
        let sealed = try await nodes[index].blobs.seal(longText)
        try step(index) { _ = try $0.send(longText, longText: sealed, to: .direct(peer)) }
    }

    /// Returns the bytes of a file of a message.
    func content(of message: MessageID, _ file: Int = 0, at index: Int) async throws -> [UInt8] {
        let scene = try FileScene()
        let place = try nodes[index].read(at: now) {
            try $0.attachments.blobs.file(file, of: message, in: $0.step)
        }
        let copy = try await nodes[index].blobs.copy(place.file, place.reference, to: scene.copies)
        return [UInt8](try Data(contentsOf: copy))
    }
}

extension EngineNode {
    /// Returns whether each file of the newest message with a peer is complete.
    func hasAllFiles(of peer: PeerID, at time: ChatTime) throws -> [Bool] {
        try history(with: peer, at: time).last?.files.map(\.isComplete) ?? []
    }

    /// The names of the files that hold blobs.
    var blobFiles: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: blobs.directory.path)) ?? [])
    }

    /// The events about files that cannot be fetched, in order.
    var failures: [ChatEvent] {
        events.filter { event in
            if case .fileFailed = event { true } else { false }
        }
    }

    /// The byte counts that events reported for files, in order.
    var progressTold: [UInt64] {
        events.compactMap { event in
            if case .progress(_, _, _, let byteCount, _) = event { byteCount } else { nil }
        }
    }
}
