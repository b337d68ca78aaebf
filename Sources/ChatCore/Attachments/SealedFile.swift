/// An object in the folder, sealed once and for all.
package struct SealedFile: Hashable, Sendable {
    /// The file's name in the folder of blobs.
    package let file: String
    /// What the message says of it.
    package let reference: FileReference

    package init(file: String, reference: FileReference) {
        self.file = file
        self.reference = reference
    }
}
