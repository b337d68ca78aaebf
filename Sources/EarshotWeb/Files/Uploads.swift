import ChatCrypto
import Earshot

/// The kind of attachment that an uploaded file becomes.
enum UploadKind: String, Hashable {
    case file, image, voice
}

/// The uploaded files that belong to no message yet.
///
/// It owns one task for each file, which removes the file when its time is over.
actor Uploads {
    private struct Upload {
        let file: UploadedFile
        let name: String
        let kind: UploadKind
        let end: Task<Void, Never>
    }

    private let age: Duration
    private var uploads: [String: Upload] = [:]
    /// The number of uploads in progress.
    private var comingCount = 0

    init(age: Duration) { self.age = age }

    /// Reserves a place for an upload; `settle` or `giveUp` follows.
    ///
    /// - Returns: whether a place was free.
    func expect() -> Bool {
        guard uploads.count + comingCount < WebLimits.uploadCount else { return false }
        comingCount += 1
        return true
    }

    /// Releases the place of a failed upload.
    func giveUp() { comingCount -= 1 }

    /// Takes a completed upload.
    ///
    /// - Returns: the ID of the file.
    func settle(_ file: UploadedFile, name: String, kind: UploadKind) -> String {
        comingCount -= 1
        let id = randomBytes(16).hex
        let end = Task { [weak self, age] in
            guard (try? await Task.sleep(for: age)) != nil else { return }
            _ = await self?.remove(id)
        }
        uploads[id] = Upload(file: file, name: name, kind: kind, end: end)
        return id
    }

    /// Makes the drafts of the attachments with these IDs; nil if one of them is missing.
    func drafts(_ ids: [String], longestEdge: Int?) -> [FileDraft]? {
        var drafts: [FileDraft] = []
        for id in ids {
            guard let upload = uploads[id] else { return nil }
            switch upload.kind {
            case .file: drafts.append(FileDraft(upload.file, name: upload.name))
            case .image: drafts.append(.image(upload.file, longestEdge: longestEdge))
            case .voice: drafts.append(.voice(upload.file))
            }
        }
        return drafts
    }

    /// Removes a file; its bytes are deleted when nothing reads them any more.
    ///
    /// - Returns: whether the file was there.
    @discardableResult
    func remove(_ id: String) -> Bool {
        guard let upload = uploads.removeValue(forKey: id) else { return false }
        upload.end.cancel()
        return true
    }

    /// Removes all files.
    func removeAll() {
        for id in uploads.keys { remove(id) }
    }
}
