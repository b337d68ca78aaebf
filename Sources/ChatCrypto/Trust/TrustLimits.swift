/// The limits of a trust store.
///
/// PROTOCOL §12 lists them.
public enum TrustLimits {
    /// Peers about which the user never decided; the one that was seen first is evicted first.
    public static let maximumUnknownPeers = 4_096
    /// Identities remembered per contact that claimed its name: settled ones, and also unsettled ones.
    public static let maximumClaimants = 64
    /// Units: seconds for which messages of a replaced identity are accepted.
    public static let receiveOnlySeconds: UInt32 = 8 * 86_400
    /// Units: seconds that the counter of a rotation may be ahead of the reader's clock.
    public static let maximumCounterLead: UInt32 = 86_400
    /// Replaced identities that are kept; the one that was replaced first is evicted first.
    public static let maximumRetired = 1_024
    /// Revoked identities kept about which the user never decided; the one that was seen first is evicted first.
    public static let maximumRevokedUnknownPeers = 1_024
}
