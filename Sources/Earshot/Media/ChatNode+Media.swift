import ChatCore
import Foundation
import MeshCore

extension ChatNode {
    /// Seals what is to go with a message into the folder: a file as it is, a picture or voice note once it is clean.
    func seal(_ draft: FileDraft) async throws(ChatError) -> SealedFile {
        guard draft.treatment != .asIs else {
            return try await blobs.seal(draft, limit: BlobReference.maximumByteCount)
        }
        let clean = try await media.clean(draft)
        return try await blobs.seal(clean, name: "\(draft.name).\(clean.ending)")
    }

    /// Removes the copy of a picture or voice note that is not what its message says, and tells so.
    func check(_ copy: URL, _ reference: FileReference) async throws(ChatError) {
        do {
            try await media.check(copy, reference)
        } catch {
            try? FileManager.default.removeItem(at: copy)
            throw error
        }
    }

    /// Refuses a picture or voice note that is not what its message says; what it is does not change.
    func checkOnce(_ file: SealedFile) async throws(ChatError) {
        guard !checkedObjects.contains(file.file), await media.needsCheck(file.reference) else { return }
        let whole = try await blobs.bytes(0..<file.reference.reference.byteCount, of: file)
        try await media.check(whole, file.reference)
        if checkedObjects.count >= ChatLimits.checkedCount { checkedObjects = [] }
        checkedObjects.insert(file.file)
    }
}
