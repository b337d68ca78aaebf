extension StoreError {
    /// A machine-readable code of an error.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, as written in the program.
        public let description: String
        /// A description of the problem and of the remedy, for the user.
        public let reason: String

        /// Makes a code; a store of a host program may add codes.
        public init(_ name: String, reason: String) {
            description = name
            self.reason = reason
        }

        /// Compares names alone.
        public static func == (left: Code, right: Code) -> Bool {
            left.description == right.description
        }

        /// Hashes the name alone.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(description)
        }
    }
}

// MARK: - The storage of the history

extension StoreError.Code {
    /// The disk has no room left.
    public static let diskFull = Self(
        "diskFull",
        reason:
            "The disk that holds the history is full. The change was not stored: free some space and try again."
    )
    /// The file or its directory cannot be written.
    public static let readOnly = Self(
        "readOnly",
        reason:
            "The history cannot be written. Make its folder and files writable for this user, or choose another folder."
    )
    /// Another program, or another part of this one, has the history open.
    public static let inUse = Self(
        "inUse",
        reason: "Another running Earshot has this history open. Close it, or choose another folder."
    )
    /// The file or its directory cannot be opened.
    public static let cannotOpen = Self(
        "cannotOpen",
        reason: "The history cannot be opened. Check that its folder exists and belongs to this user."
    )
    /// The disk reported an error.
    public static let ioFailed = Self(
        "ioFailed",
        reason: "The disk reported an error. Check the disk and that it is still attached, then try again."
    )
}

// MARK: - The file

extension StoreError.Code {
    /// The file is damaged.
    public static let corrupt = Self(
        "corrupt",
        reason: "The history file is damaged and was left as it is. Copy it, then restore a backup or start over."
    )
    /// The file is no database, or its beginning is damaged.
    public static let notDatabase = Self(
        "notDatabase",
        reason: "history.sqlite is not a database, or its beginning is damaged. It was left as it is: "
            + "move it away, or restore a backup."
    )
    /// The file is a database of another program.
    public static let foreignDatabase = Self(
        "foreignDatabase",
        reason:
            "history.sqlite belongs to another program. It was left as it is: move it away, or choose another folder."
    )
    /// The file was written by a later version.
    public static let newerVersion = Self(
        "newerVersion",
        reason: "This history was written by a newer version of Earshot and was left as it is. Update Earshot."
    )
}

// MARK: - Records

extension StoreError.Code {
    /// A row does not authenticate, is in the wrong position, or is older than one seen before.
    public static let tampered = Self(
        "tampered",
        reason: "Another program has changed, moved or set back a record. Do not trust it; "
            + "restore a backup, or delete the record."
    )
    /// A conversation has messages and no key.
    public static let keyMissing = Self(
        "keyMissing",
        reason: "The key of this conversation is missing: its deletion was interrupted, or the key was removed. "
            + "Delete the conversation to finish, or restore a backup."
    )
}

// MARK: - The call

extension StoreError.Code {
    /// The store was closed before the call.
    public static let closed = Self("closed", reason: "The history is closed. Open it again first.")
    /// A row to insert exists already; `RecordStore` then reads the existing row.
    public static let rowExists = Self("rowExists", reason: "A record of this name exists already. Replace it instead.")
    /// A record is longer than `HistoryLimits` allows.
    public static let recordTooLarge = Self(
        "recordTooLarge",
        reason: "A record is longer than 1 MiB. Keep large content in a file of its own."
    )
    /// A batch holds more changes than `HistoryLimits` allows.
    public static let batchTooLarge = Self(
        "batchTooLarge",
        reason: "A batch holds more than 4,096 changes. Apply it in parts."
    )
    /// The requested page has no rows or more than `HistoryLimits` allows.
    public static let pageLimit = Self("pageLimit", reason: "A page holds 1 to 1,000 rows. Ask for several pages.")
    /// The database failed in a way that has no code of its own; `cause` has the details.
    public static let failed = Self(
        "failed",
        reason: "The database failed unexpectedly. Restart Earshot; if it happens again, report it with its cause."
    )
}
