import ChatCrypto
import Earshot
import EarshotRPC
import GatewayCore

/// The exit status of a command, for scripts.
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case usage = 64
    /// Bad or ambiguous data; a number does not match.
    case badData = 65
    /// No peer or node can be reached.
    case unavailable = 69
    /// Not in time.
    case notInTime = 75
    /// Refused by trust, lock or permission.
    case refused = 77
}

/// The failure of a command: one sentence that says what to do, and the exit status.
struct CommandFailure: Error, Equatable {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Makes the failure of a command from an error of the layers below.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as RPCError: self.init(error)
        case let error as ChatError: self.init(RPCError(error))
        case let error as HubError: self.init(error.code.status, error.description)
        case let error as RPCServerError: self.init(error.code.status, error.description)
        default: self.init(.failed, "\(error)")
        }
    }

    private init(_ error: RPCError) {
        let candidates = error.data?.candidates ?? []
        let list = candidates.map { "\n  \($0)" }.joined()
        self.init(error.status, error.message + list)
    }
}

extension RPCError {
    /// The exit status for an error of a node, by its number, or by its name if the number is shared.
    fileprivate var status: ExitStatus {
        switch kind {
        case .notFound, .ambiguous, .numberMismatch, .tooLarge, .invalidParameters: .badData
        case .refusedByTrust, .locked, .notMember: .refused
        case .limited, .expired: .notInTime
        case .unavailable: data.flatMap { Self.statusByName[$0.code] } ?? .unavailable
        case .parseError, .invalidRequest, .methodNotFound, .internalError, nil: .failed
        }
    }

    private static let statusByName: [String: ExitStatus] = [
        ChatError.Code.homeInUse.name: .refused,
        ChatError.Code.homeUnusable.name: .refused,
        ChatError.Code.notOwner.name: .refused,
        ChatError.Code.ownsGroup.name: .refused,
        ChatError.Code.frozen.name: .refused,
        ChatError.Code.admissionClosed.name: .refused,
        ChatError.Code.rejected.name: .refused,
        ChatError.Code.erasing.name: .refused,
        ChatError.Code.restoring.name: .badData,
        ChatError.Code.hasPassphrase.name: .badData,
        ChatError.Code.noPassphrase.name: .badData,
        ChatError.Code.noAnswer.name: .unavailable,
        ChatError.Code.homeNewer.name: .badData,
        ChatError.Code.homeCorrupt.name: .badData,
        ChatError.Code.noIdentity.name: .badData,
        ChatError.Code.alreadyInitialised.name: .badData,
        ChatError.Code.cryptographyUnavailable.name: .failed,
        PageCall.noPage: .failed,
    ]
}

extension RPCServerError.Code {
    fileprivate var status: ExitStatus {
        switch self {
        case .pathTooLong, .notASocket: .badData
        case .alreadyServed, .foreignUser: .refused
        case .nobodyThere: .unavailable
        case .system: .failed
        }
    }
}

extension HubError.Code {
    fileprivate var status: ExitStatus {
        switch self {
        case .url, .proxyURL, .authorities, .noRoom, .wouldDelete: .badData
        case .clearText, .login, .certificate, .clear, .notOperator, .refused: .refused
        case .name, .unreachable, .proxy, .noStore, .full, .clock, .lost: .unavailable
        case .noLibrary: .failed
        }
    }
}
