import ChatCrypto
import Earshot

/// What a file becomes when it is sent.
enum UploadKind: String, Hashable {
    case file, image, voice
}

/// The files that have come to be sent and belong to no message yet.
///
/// Owns one task for each, which forgets it when its time is over.
actor Uploads {
    private struct Upload {
        let file: UploadedFile
        let name: String
        let kind: UploadKind
        let end: Task<Void, Never>
    }

    private let age: Duration
    private var uploads: [String: Upload] = [:]
    /// Those that are still coming.
    private var comingCount = 0

    init(age: Duration) { self.age = age }

    /// Keeps a place for one that comes; `settle` or `giveUp` follows.
    ///
    /// - Returns: Whether there was one.
    func expect() -> Bool {
        guard uploads.count + comingCount < WebLimits.uploadCount else { return false }
        comingCount += 1
        return true
    }

    /// Gives back the place of one that did not come.
    func giveUp() { comingCount -= 1 }

    /// Takes one that has come.
    ///
    /// - Returns: The id by which it is known.
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

    /// What those with these ids become; nil where one is not there.
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

    /// Forgets one; its bytes are gone when nothing reads them any more.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    func remove(_ id: String) -> Bool {
        guard let upload = uploads.removeValue(forKey: id) else { return false }
        upload.end.cancel()
        return true
    }

    /// Forgets all.
    func removeAll() {
        for id in uploads.keys { remove(id) }
    }
}
