/// An attachment in the directory, sealed and never changed again.
package struct SealedFile: Hashable, Sendable {
    /// The file's name in the directory of blobs.
    package let file: String
    /// The description of the file in its message.
    package let reference: FileReference

    package init(file: String, reference: FileReference) {
        self.file = file
        self.reference = reference
    }
}
