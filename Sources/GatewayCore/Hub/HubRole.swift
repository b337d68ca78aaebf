/// The part that a server has in its hub.
package enum HubRole: Sendable {
    /// It keeps the mail, and alone: a subscription brings all mail while the connection lasts.
    case whole
    /// It is the server of a city, or one of a cluster, which can lose the others and find them again without a word: mail
    /// of that time passes by its subscriptions.
    case part
}
