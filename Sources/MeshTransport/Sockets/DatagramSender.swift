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
/// NIO's half only reads: NIO ends a datagram channel for good on nearly every send error, and one peer without a route
/// must not cost the others their links. Here, only that datagram is lost. Sending never waits: a datagram that the
/// socket's buffer does not take is dropped like any lost one, so that no second queue grows behind the system's. This
/// object owns a descriptor of its own for the socket, and closes it at its end.
final class DatagramSender {
    /// The result of sending one train.
    struct Outcome: Equatable {
        /// Datagrams that the system took.
        var takenCount = 0
        /// Calls of the system.
        var callCount = 0
        /// The error of the last datagram that was not taken.
        var refusal: CInt?
        /// The error because of which segmentation is not used any more.
        var segmentationRefusal: CInt?
    }

    private let descriptor: CInt
    /// Whether the system cuts long buffers into datagrams; some kernels, devices and tunnels cannot.
    private(set) var usesSegmentation: Bool
    private var joined: [UInt8] = []
    private var control = SegmentControl()

    /// - Parameter descriptor: The descriptor, which this object closes at its end.
    init(descriptor: CInt, usesSegmentation: Bool = SegmentControl.isKnown) {
        self.descriptor = descriptor
        self.usesSegmentation = usesSegmentation
    }

    deinit {
        _ = close(descriptor)
    }

    /// Sends a train in one call if the system can, else datagram by datagram.
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
        // The same error may concern the address or the path; then single datagrams fail as well.
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

    /// Passes one buffer to the system; returns its error.
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

    /// Whether an error may mean that the kernel, a device or a tunnel cannot cut buffers.
    private static func isAboutSegmentation(_ error: CInt) -> Bool {
        [EIO, EINVAL, EMSGSIZE, EOPNOTSUPP, ENOPROTOOPT].contains(error)
    }
}
