/// A change of a home's passphrase.
public enum PassphraseChange: Sendable {
    /// The first passphrase of a home that has none.
    case set(new: String)
    /// Another passphrase in place of the present one.
    case change(current: String, new: String)
    /// No passphrase any more: from then on everyone who can read the home's files can read everything.
    case remove(current: String)

    /// The passphrase before the change.
    var current: String? {
        switch self {
        case .set: nil
        case .change(let current, _), .remove(let current): current
        }
    }

    /// The passphrase after the change.
    package var new: String? {
        switch self {
        case .set(let new), .change(_, let new): new
        case .remove: nil
        }
    }
}
