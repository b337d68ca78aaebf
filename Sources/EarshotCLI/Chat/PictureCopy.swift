import EarshotMedia
import EarshotRPC
import Foundation

/// A small copy of a message's picture, encoded again for terminals that show pictures.
///
/// The node's copy of the file lies in memory only, in the system's directory for such files; a system without one
/// shows no pictures.
struct PictureCopy: Sendable {
    /// Units: pixels of the longer edge.
    static let longestEdge = 480
    /// Units: bytes that are sent to the terminal at most.
    static let byteCount = 1_048_576

    let caller: any RPCCaller
    let pictures: PictureProtocol

    /// Returns the bytes for the terminal; nil if the picture cannot be shown.
    func bytes(of message: String, _ index: Int) async throws -> [UInt8]? {
        guard FileManager.default.isWritableFile(atPath: Self.memory) else { return nil }
        let folder = URL(filePath: Self.memory).appending(path: "earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = try await caller.call(MediaCall(message: message, index: index, folder: folder.path))
        let file = try FileHandle(forReadingFrom: URL(filePath: copy.path))
        defer { try? file.close() }
        guard let bytes = try file.read(upToCount: ImageLimits.standard.byteCount + 1),
            let small = pictures.small(Array(bytes), in: .current), small.count <= Self.byteCount
        else { return nil }
        return small
    }

    private static let memory = "/dev/shm"
}

extension PictureProtocol {
    /// Scales a picture for ``sequence(_:)`` and a terminal of this size; nil if it cannot be shown.
    func small(_ picture: [UInt8], in size: TerminalSize) -> [UInt8]? {
        let edge = PictureCopy.longestEdge
        switch self {
        case .kitty, .iTerm: return PicturePreview.png(picture, longestEdge: edge)
        case .sixel:
            let box = Self.sixelBox(in: size)
            return PicturePreview.sixel(picture, width: min(box.width, edge), height: min(box.height, edge))
        }
    }
}
