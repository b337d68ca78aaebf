import ChatCore
import ChatCrypto
import ChatHistory

extension ChatError {
    /// Translates an error of any part of the library.
    init(_ error: any Error) {
        if let error = error as? StoreError { self.init(error) } else { self.init(refusal: error) }
    }

    private init(_ error: StoreError) {
        switch error.code {
        case .corrupt, .notDatabase, .tampered, .keyMissing:
            self.init(.homeCorrupt, "\(error.description) \(Self.rescue)")
        case .foreignDatabase: self.init(.homeCorrupt, error.description)
        case .newerVersion: self.init(.homeNewer, error.description)
        case .inUse: self.init(.homeInUse, error.description)
        case .closed: self.init(.stopped, error.description)
        default: self.init(.homeUnusable, error.description)
        }
    }
}
