/// That part of an endpoint by which limits tell hosts apart.
///
/// It is an address on an interface. On loopback, where all nodes share an address, the port belongs to it.
struct HostAddress: Hashable, Sendable {
    private let interface: InterfaceID
    private let address: IPAddress
    private let port: UInt16

    init(_ endpoint: Endpoint) {
        (interface, address) = (endpoint.interface, endpoint.address)
        port = endpoint.address.isLoopback ? endpoint.port : 0
    }
}
