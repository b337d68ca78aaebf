/// What is to become of a home's passphrase.
public enum PassphraseChange: Sendable {
    /// Puts a home that has none under one.
    case set(new: String)
    /// Puts another in the place of the present one.
    case change(current: String, new: String)
    /// Leaves the home without: whoever reads its files reads everything from then on.
    case remove(current: String)

    /// The passphrase until then.
    var current: String? {
        switch self {
        case .set: nil
        case .change(let current, _), .remove(let current): current
        }
    }

    /// The passphrase from then on.
    package var new: String? {
        switch self {
        case .set(let new), .change(_, let new): new
        case .remove: nil
        }
    }
}
