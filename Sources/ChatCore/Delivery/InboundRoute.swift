import ChatCrypto
import MeshCore

/// The way by which a message came.
enum InboundRoute {
    /// A post, whose trail leads to its author.
    case trail(PathLabel)
    /// A way, with the label of this end, and that of the author if it is new.
    case way(to: PathLabel, from: PathLabel?)
    /// A mailbox of a hub: the author is in another mesh.
    case far(MailboxKey)

    /// Whether it was carried.
    var isWay: Bool { if case .way = self { true } else { false } }

    /// Whether it came from another mesh.
    var isFar: Bool { mailbox != nil }

    /// The mailbox of a hub by which it came.
    var mailbox: MailboxKey? { if case .far(let mailbox) = self { mailbox } else { nil } }
}
