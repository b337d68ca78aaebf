import MeshCore
import NIOCore

/// The channels of one interface while they are open; they only read.
struct OpenSockets {
    let unicast: any Channel
    let groups: [any Channel]
    /// The addresses that a beacon goes to from here.
    let destinations: [SocketAddress]
    let since: MeshInstant

    /// The port at which others reach this interface's unicast socket.
    var port: UInt16? { unicast.localAddress?.port.flatMap(UInt16.init(exactly:)) }

    var channels: [any Channel] { [unicast] + groups }
}

/// A node's tie to one interface that is up: its sockets, or the wait before they are opened again.
struct Attachment {
    let interface: LocalInterface
    /// The number of the latest opening; reports of older ones are stale.
    var opening: UInt64 = 0
    /// The unicast socket's sending half, from the opening on.
    var sender: DatagramSender?
    var sockets: OpenSockets?
    var backoff = Backoff()
    var retry: Scheduled<Void>?
    /// The port of the latest opening: peers of the interface-less socket know it, so it is taken again if possible.
    var lastPort: UInt16 = 0
    /// Whether beacons, or datagrams of the interface-less socket, could not be sent recently.
    var cannotSend = false
}
