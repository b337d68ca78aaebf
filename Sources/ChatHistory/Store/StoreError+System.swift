#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension StoreError {
    /// Wraps an error number of the system.
    init(systemError number: Int32) {
        self.init(Self.code(systemError: number), cause: SystemFailure(number: number))
    }

    static func code(systemError number: Int32) -> Code {
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        case EROFS, EACCES, EPERM: .readOnly
        case EWOULDBLOCK: .inUse
        case EIO: .ioFailed
        default: .cannotOpen
        }
    }

    /// An error number of the system, as a cause.
    private struct SystemFailure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { "system error \(number): \(String(cString: strerror(number)))" }
    }
}
