/// The numbers that bound what a trust book keeps; PROTOCOL §12 lists them.
public enum TrustLimits {
    /// Peers about whom the user never decided anything; the one seen first goes first.
    public static let maximumStrangers = 4_096
    /// Identities remembered per contact that claimed its name, settled and unsettled alike.
    public static let maximumClaimants = 64
    /// Units: seconds that an identity may still be received from after its owner went on to another.
    public static let receiveOnlySeconds: UInt32 = 8 * 86_400
    /// Units: seconds that the counter of a rotation may be ahead of the reader's clock.
    public static let maximumCounterLead: UInt32 = 86_400
    /// Identities kept whose owners went on to others; the one replaced first goes first.
    public static let maximumRetired = 1_024
    /// Revoked identities kept about which the user never decided anything; the one seen first goes first.
    public static let maximumRevokedStrangers = 1_024
}
