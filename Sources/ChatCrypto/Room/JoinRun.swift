/// One join that a host has under way.
struct JoinRun: Sendable {
    let id: JoinRunID
    let joiner: PublicIdentity
    /// The meeting that it belongs to.
    let lobby: [UInt8]
    /// Units: seconds since 1970 by one's own clock.
    let begunAt: UInt32
    /// What was sent last; sent again when the joiner asks again.
    var sent: [UInt8]
    /// What opens the request; gone once it has opened one.
    var requestKey: SecretBytes?
    /// What seals the reply; gone once it has sealed one.
    var replyKey: SecretBytes?
    let joinerTag: [UInt8]
}
