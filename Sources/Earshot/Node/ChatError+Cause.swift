import ChatCrypto
import ChatHistory

extension ChatError {
    /// What went wrong below, told as this module's error.
    init(_ error: any Error) {
        switch error {
        case let error as ChatError: self = error
        case let error as StoreError: self.init(error)
        case let error as CryptoError: self.init(.notFound, error.reason)
        default: self.init(.homeUnusable, "Something unexpected failed: \(error)")
        }
    }

    private init(_ error: StoreError) {
        switch error.code {
        case .corrupt, .notDatabase, .foreignDatabase, .tampered, .keyMissing:
            self.init(.homeCorrupt, error.description)
        case .newerVersion: self.init(.homeNewer, error.description)
        case .inUse: self.init(.homeInUse, error.description)
        case .closed: self.init(.stopped, error.description)
        default: self.init(.homeUnusable, error.description)
        }
    }
}
