import EarshotRPC

/// A warning that another identity has taken a contact's name, until the user decides.
enum ClaimText {
    /// Makes a line for each identity that took the name of one of these contacts.
    static func lines(_ contacts: [ContactReply]) -> [String] {
        contacts.flatMap { contact in (contact.claimants ?? []).map { line(of: $0, contact, among: contacts) } }
    }

    /// Makes the line about one identity; nil if it took no contact's name.
    static func line(of id: String, among contacts: [ContactReply]) -> String? {
        contacts.first { $0.claimants?.contains(id) == true }.map { line(of: id, $0, among: contacts) }
    }

    private static func line(of id: String, _ contact: ContactReply, among contacts: [ContactReply]) -> String {
        let name = contacts.first { $0.id == id }.map { "\(DisplayText.safe($0.name)) (\(id.prefix(8)))" }
        return "\(name ?? String(id.prefix(8))) has the same name as \(DisplayText.safe(contact.name)) "
            + "(\(contact.id.prefix(8))) but is another identity: compare with `verify` before you trust it."
    }
}
