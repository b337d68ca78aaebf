import MeshCore
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The sending half of a unicast socket.
///
/// NIO's half only reads: it ends a datagram channel for good on nearly every error of sending, and one peer without a
/// route must not cost the others their links. Here such a datagram is lost and no more. It never waits: what the
/// socket's buffer does not take is dropped like any lost datagram, so no second queue grows behind the system's.
/// It owns a descriptor of its own for the socket, which ends with this object.
final class DatagramSender {
    /// What became of one train.
    struct Outcome: Equatable {
        /// Datagrams that the system took.
        var takenCount = 0
        /// Calls of the system.
        var callCount = 0
        /// The error of the last datagram that was not taken.
        var refusal: CInt?
        /// The error for which segmentation is given up from here on.
        var segmentationRefusal: CInt?
    }

    private let descriptor: CInt
    /// Whether the system cuts long buffers into datagrams: some kernels, devices and tunnels cannot.
    private(set) var usesSegmentation: Bool
    private var joined: [UInt8] = []
    private var control = SegmentControl()

    /// - Parameter descriptor: closed when this object goes.
    init(descriptor: CInt, usesSegmentation: Bool = SegmentControl.isKnown) {
        self.descriptor = descriptor
        self.usesSegmentation = usesSegmentation
    }

    deinit {
        _ = close(descriptor)
    }

    /// Sends a train in one call where the system can, else datagram by datagram.
    func send(_ train: DatagramTrain, to address: SocketAddress) -> Outcome {
        guard usesSegmentation, train.datagrams.count > 1 else { return sendSingly(train.datagrams, to: address) }
        joined.removeAll(keepingCapacity: true)
        for datagram in train.datagrams { joined += datagram }
        guard let error = transmit(joined, cutInto: train.segmentByteCount, to: address) else {
            return Outcome(takenCount: train.datagrams.count, callCount: 1)
        }
        guard Self.isAboutSegmentation(error) else { return Outcome(callCount: 1, refusal: error) }
        var outcome = sendSingly(train.datagrams, to: address)
        outcome.callCount += 1
        // The same error may mean the address or the path; then single datagrams fail as well.
        if outcome.takenCount > 0 {
            usesSegmentation = false
            outcome.segmentationRefusal = error
        }
        return outcome
    }

    /// Sends one datagram.
    func send(_ datagram: [UInt8], to address: SocketAddress) -> Outcome {
        sendSingly([datagram], to: address)
    }

    private func sendSingly(_ datagrams: [[UInt8]], to address: SocketAddress) -> Outcome {
        var outcome = Outcome()
        for datagram in datagrams {
            outcome.callCount += 1
            if let error = transmit(datagram, cutInto: nil, to: address) {
                outcome.refusal = error
            } else {
                outcome.takenCount += 1
            }
        }
        return outcome
    }

    /// Hands the system one buffer; answers its error.
    private func transmit(_ bytes: [UInt8], cutInto segmentByteCount: Int?, to address: SocketAddress) -> CInt? {
        bytes.withUnsafeBytes { bytes in
            address.withSockAddr { name, nameLength in
                var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_name = UnsafeMutableRawPointer(mutating: name)
                    message.msg_namelen = socklen_t(nameLength)
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    guard let segmentByteCount else { return deliver(&message) }
                    return control.withBytes(segmentByteCount: segmentByteCount) { control in
                        message.msg_control = control.baseAddress
                        message.msg_controllen = numericCast(control.count)
                        return deliver(&message)
                    }
                }
            }
        }
    }

    private func deliver(_ message: inout msghdr) -> CInt? {
        while sendmsg(descriptor, &message, CInt(MSG_DONTWAIT)) < 0 {
            if errno != EINTR { return errno }
        }
        return nil
    }

    /// Whether an error may be the kernel's, a device's or a tunnel's way to say that it cannot cut buffers.
    private static func isAboutSegmentation(_ error: CInt) -> Bool {
        [EIO, EINVAL, EMSGSIZE, EOPNOTSUPP, ENOPROTOOPT].contains(error)
    }
}
