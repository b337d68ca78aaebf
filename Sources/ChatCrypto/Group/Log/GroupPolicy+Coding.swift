import Bytes

extension GroupPolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case history, memberLimit, life, isEphemeral, onlyAdminsWrite, hasReceipts, admins, successorSlot, successorKey
    }

    /// Decodes a policy; one outside the limits is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let slot = try container.decodeIfPresent(UInt16.self, forKey: .successorSlot)
        let key = try container.decodeIfPresent([UInt8].self, forKey: .successorKey)
        let successor = try slot.map { slot in
            try decoder.checked(Successor(slot: slot, signingKey: key ?? []), "The successor's key is malformed.")
        }
        let policy = GroupPolicy(
            history: try container.decode(History.self, forKey: .history),
            memberLimit: Int(try container.decode(UInt16.self, forKey: .memberLimit)),
            life: try container.decode(UInt32.self, forKey: .life),
            isEphemeral: try container.decode(Bool.self, forKey: .isEphemeral),
            onlyAdminsWrite: try container.decodeIfPresent(Bool.self, forKey: .onlyAdminsWrite) ?? false,
            hasReceipts: try container.decodeIfPresent(Bool.self, forKey: .hasReceipts) ?? true,
            admins: try container.decodeIfPresent(Set<UInt16>.self, forKey: .admins) ?? [],
            successor: successor
        )
        self = try decoder.checked(policy, "The policy is outside its limits.")
    }

    /// Encodes the policy.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(history, forKey: .history)
        try container.encode(memberLimit, forKey: .memberLimit)
        try container.encode(life, forKey: .life)
        try container.encode(isEphemeral, forKey: .isEphemeral)
        try container.encode(onlyAdminsWrite, forKey: .onlyAdminsWrite)
        try container.encode(hasReceipts, forKey: .hasReceipts)
        try container.encode(admins, forKey: .admins)
        try container.encodeIfPresent(successor?.slot, forKey: .successorSlot)
        try container.encodeIfPresent(successor?.signingKey, forKey: .successorKey)
    }
}
