/// The counts of a node's sockets since its start.
public struct SocketStatistics: Sendable, Equatable {
    /// Datagrams handed to the mesh.
    public internal(set) var received = 0
    /// Datagrams handed to the system.
    public internal(set) var sent = 0
    /// Calls of the system for them; fewer if the system takes several datagrams at once.
    public internal(set) var sendCalls = 0
    /// Datagrams dropped on arrival because too many outputs wait for the consumer; their senders send them again.
    public internal(set) var droppedForConsumer = 0
    /// Datagrams not sent: the interface has no open socket, its buffer is full, or the system refused them.
    public internal(set) var unsendable = 0
    /// Times that an interface's sockets failed and were opened again.
    public internal(set) var reopenings = 0
}
