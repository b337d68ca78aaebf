import Bytes

extension RoomHost {
    private static let version: UInt8 = 1

    /// Makes the change to store after each step; it does not contain the code.
    public func saved() -> SessionChange {
        var change = SessionChange()
        change.save(.roomHost, room.bytes, encoded())
        return change
    }

    /// Makes the change that deletes the host's record.
    public func deletion() -> SessionChange {
        var change = SessionChange()
        change.delete(.roomHost, room.bytes)
        return change
    }

    /// Encodes the host for sealed storage.
    ///
    /// Shape: version 1 (1) ‖ admission (1) ‖ exhausted codes (1) ‖ flag of wrong guesses under the present code (1) ‖
    /// flag of an open admission (1) ‖ flag of an invite (1), key (16) if 1 ‖ count of pending applicants (1) ‖ per
    /// applicant run (16), bundle length (2) and bytes.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append([Self.version, admission.rawValue, UInt8(clamping: exhaustedCodes)])
        writer.append(flag: failures > 0)
        writer.append(flag: !isAdmissionClosed)
        writer.append(flag: invite != nil)
        if let invite { writer.append(invite.key) }
        writer.append(integer: UInt8(pending.count))
        for applicant in pending {
            writer.append(applicant.run.bytes + UInt16(applicant.bundle.bytes.count).bigEndianBytes)
            writer.append(applicant.bundle.bytes)
        }
        return writer.finish()
    }

    /// Restores a host from its record, with a new code; the code before counts as exhausted if it was guessed at.
    ///
    /// - Throws: `malformed`.
    public init(
        restoring record: StoredRecord,
        as identity: Identity,
        at now: UInt32
    ) throws(CryptoError) {
        var reader = SecretReader(record.value)
        guard record.id.kind == .roomHost, let room = GroupID(bytes: record.id.bytes),
            reader.integer(UInt8.self) == Self.version,
            let admission = reader.integer(UInt8.self).flatMap({ RoomAdmission(rawValue: $0) }),
            let exhaustedCodes = reader.integer(UInt8.self), let wasGuessedAt = reader.flag(),
            let wasOpen = reader.flag(), let hasInvite = reader.flag()
        else { throw Self.malformed }
        self.init(room: room, identity: identity, admission: admission)
        if hasInvite {
            guard let key = reader.secret(16) else { throw Self.malformed }
            invite = RoomInvite(for: room, key: key)
        }
        guard let count = reader.integer(UInt8.self), count <= RoomLimits.maximumPending else { throw Self.malformed }
        for _ in 0..<count {
            guard let run = reader.bytes(JoinRunID.byteCount).flatMap({ JoinRunID(bytes: $0) }),
                let length = reader.integer(UInt16.self), let bytes = reader.bytes(Int(length)),
                let bundle = try? PrekeyBundle(verifying: bytes)
            else { throw Self.malformed }
            pending.append(RoomApplicant(run: run, bundle: bundle))
        }
        guard reader.isAtEnd else { throw Self.malformed }
        self.exhaustedCodes = Int(exhaustedCodes) + (wasGuessedAt ? 1 : 0)
        if wasOpen, self.exhaustedCodes < RoomLimits.maximumExhaustedCodes { makeCode(at: now) }
    }

    private static let malformed = CryptoError(.malformed, "The record is not a host of a room.")
}
