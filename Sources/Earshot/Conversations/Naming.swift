package import ChatCore
package import ChatCrypto

/// Finding members by the texts that users type: an id, its first eight or more digits, or a name.
extension ChatGroup {
    /// Returns the member that a text means.
    package func member(named who: String) throws(ChatError) -> PeerID {
        try members.person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "No member of the group is called '\(who)'.",
            several: "Several members are called '\(who)'"
        )
    }
}

extension Room {
    /// Returns the member that a text means.
    package func member(named who: String) throws(ChatError) -> PeerID {
        try members.person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "No member of the room is called '\(who)'.",
            several: "Several are called '\(who)'"
        )
    }

    /// Returns the applicant that a text means.
    package func applicant(named who: String) throws(ChatError) -> PeerID {
        try (admissionState?.waiting ?? []).person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "Nobody called '\(who)' wants to join.",
            several: "Several are called '\(who)'"
        )
    }
}

extension Array {
    /// Returns the elements that a text matches: by id if the text is eight or more hexadecimal digits of one, else by
    /// name.
    package func named(_ who: String, id: (Element) -> String, name: (Element) -> String) -> [Element] {
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        let fits = isHex ? filter { id($0).hasPrefix(digits) } : []
        return fits.isEmpty ? filter { name($0) == who } : fits
    }

    /// Returns the peer of the one element that a text matches.
    ///
    /// - Throws: `notFound`, or `ambiguous` with the candidates.
    fileprivate func person(
        named who: String,
        id: (Element) -> PeerID,
        name: (Element) -> String,
        nobody: String,
        several: String
    ) throws(ChatError) -> PeerID {
        let fits = named(who, id: { id($0).description }, name: name)
        guard let first = fits.first else { throw ChatError(.notFound, nobody) }
        guard fits.count == 1 else {
            var error = ChatError(.ambiguous, "\(several): use an id.")
            error.candidates = fits.map(id)
            throw error
        }
        return id(first)
    }
}
