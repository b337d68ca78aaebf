import Earshot

// The snippets of TrustAndVerification.md, compiled without changes: one function each.

func trustDecides(_ node: ChatNode, _ message: Message) async throws {
    if message.isRequest {
        try await node.contacts.decide(.accept, about: message.sender)
    }
}

func trustComparesNumbers(_ node: ChatNode, _ bob: Contact, _ typed: String) async throws {
    let number = try await node.contacts.safetyNumber(with: bob.id)
    print("Read this to \(bob.name): \(number)")
    let state = try await node.contacts.verify(bob.id, number: typed)
    print("\(bob.name) is \(state.rawValue)")
}

func trustScansCodes(_ node: ChatNode, _ bob: Contact, _ scanned: String) async throws {
    let own = IdentityCode(of: node.identity.id, for: bob.id)
    print("Show this as a QR code: \(own.text)")
    if let code = IdentityCode(scanned) {
        try await node.contacts.verify(bob.id, scanned: code)
    }
}

func trustWatchesClaims(_ node: ChatNode) async throws {
    for await event in try node.events() {
        guard case .trust(.changed(let contact, let claimant)) = event else { continue }
        print("\(claimant) claims to be \(contact): nothing is sent until the user decides")
    }
}

func trustRotates(_ node: ChatNode) async throws {
    let certificate = try await node.identity.revocationCertificate()
    print("Keep these \(certificate.count) bytes elsewhere.")
    let id = try await node.identity.rotate()
    print("Contacts follow to \(id).")
}
