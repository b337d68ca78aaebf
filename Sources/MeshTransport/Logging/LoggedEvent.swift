import MeshCore

/// An event as the log shows it: its kind and its size, but neither contents nor addresses.
///
/// Other people than the users read a log. The text is made only if the log writes it: printing every byte of every
/// datagram cost a busy node more than all the rest together.
struct LoggedEvent: CustomStringConvertible, Sendable {
    let event: MeshEvent

    var description: String {
        switch event {
        case .datagram(let bytes, let source, let multicast):
            "datagram of \(bytes.count) B on \(Self.name(source.interface))\(multicast ? " by multicast" : "")"
        case .interfaceUp(let interface, let prefixes, let port):
            "interface up: \(Self.name(interface)), \(prefixes.count) prefixes, port \(port)"
        case .interfaceDown(let interface): "interface down: \(Self.name(interface))"
        case .tick: "tick"
        case .submit(let kind, let body, let life): "submit: kind \(kind.rawValue), \(body.count) B, life \(life)"
        case .handOver(let kind, let body, let life):
            "hand over: kind \(kind.rawValue), \(body.count) B, life \(life)"
        case .pushThroughNeighbors(let isOn): "push through neighbors: \(isOn)"
        case .restore(let records): "restore: \(records.count) records"
        case .openPath(let hello): "open path: hello of \(hello.count) B"
        case .sendOnPath(let message): "send on path: \(message.payload.count) B"
        case .linkDirectly: "link directly"
        case .fetchPieces(let tags): "fetch pieces of \(tags.count) objects"
        case .endFetch(let tags): "end fetch of \(tags.count) objects"
        case .attachGateway: "attach gateway"
        case .inject(let envelope): "inject: \(envelope.body.count) B"
        case .addStaticPeer: "add static peer"
        case .removeStaticPeer: "remove static peer"
        case .leave: "leave"
        }
    }

    private static func name(_ interface: InterfaceID) -> String { "\(interface.index) \(interface.family)" }
}
