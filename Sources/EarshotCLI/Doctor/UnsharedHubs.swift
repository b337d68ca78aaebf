import EarshotRPC
import GatewayCore
import MeshDoctor

/// The contacts that read mail at hubs of which the own node uses none.
///
/// Nobody joins a hub because of it: the user decides.
struct UnsharedHubs {
    /// The most contacts that are named.
    static let maximumCount = 3
    private static let cause = Finding.Cause("hubNotShared", in: .hub)

    /// A contact, and the first of its hubs that can be joined.
    private let contacts: [(name: String, hub: HubURL)]

    /// Compares the hubs of contacts with those of the own node; without own hubs there is nothing to share.
    ///
    /// - Parameter hubs: The addresses of the own hubs.
    init(_ contacts: [ContactReply], hubs: [String]) {
        let own = Set(hubs.compactMap(Self.endpoint))
        guard !own.isEmpty else {
            self.contacts = []
            return
        }
        self.contacts = contacts.compactMap { contact in
            // An identity that was replaced reads nowhere any more.
            guard let hubs = contact.hubs, contact.successor == nil,
                own.isDisjoint(with: hubs.compactMap(Self.endpoint)),
                let hub = hubs.compactMap({ try? HubURL($0) }).first
            else { return nil }
            return (contact.name, hub)
        }
    }

    /// Compares the hubs of contacts with those of a running node; a locked one shows no contacts.
    ///
    /// - Parameters:
    ///   - caller: The node.
    ///   - hubs: The addresses of the own hubs.
    init(of caller: any RPCCaller, hubs: [String]) async {
        self.init(hubs.isEmpty ? [] : (try? await caller.call(ContactsCall())) ?? [], hubs: hubs)
    }

    private static func endpoint(_ address: String) -> String? {
        (try? HubURL(address, allowsClearText: true))?.endpoint
    }

    /// The findings of the doctor, the last of which counts the contacts that are not named.
    var findings: [Finding] {
        let why = "Mail between you goes by no hub."
        let named = contacts.prefix(Self.maximumCount).map { contact in
            Finding.hint(
                Self.cause,
                contact.hub.description,
                "\(contact.name) reads at \(contact.hub), you do not.",
                why: why,
                mend: "'earshot hub add \(contact.hub.text)' joins it."
            )
        }
        let rest = contacts.count - named.count
        guard rest > 0 else { return named }
        let subject = "\(rest) more contact\(rest == 1 ? " reads" : "s read")"
        let last = Finding.hint(
            Self.cause,
            "hub",
            "\(subject) at hubs that you do not use.",
            why: why,
            mend: "'earshot peers --json' names them."
        )
        return named + [last]
    }

    /// The findings as sentences, one a line.
    var notes: [String] { findings.map { [$0.what, $0.mend].compactMap(\.self).joined(separator: " ") } }
}
