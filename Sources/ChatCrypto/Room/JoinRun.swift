/// A join that is in progress at a host.
struct JoinRun: Sendable {
    let id: JoinRunID
    let joiner: PublicIdentity
    /// The name of the meeting that the run belongs to.
    let lobby: [UInt8]
    /// The start of the run.
    ///
    /// Units: seconds since 1970 by the local clock.
    let begunAt: UInt32
    /// The last message of the host; it is sent again if the joiner repeats its own message.
    var sent: [UInt8]
    /// The key that opens the request; nil after it has opened one.
    var requestKey: SecretBytes?
    /// The key that seals the reply; nil after it has sealed one.
    var replyKey: SecretBytes?
    let joinerTag: [UInt8]
}
