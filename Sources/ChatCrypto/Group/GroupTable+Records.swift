extension GroupTable {
    /// Returns the group that a stored record belongs to; nil for records of other kinds.
    public static func group(of record: StoredRecord.ID) -> GroupID? { GroupRecord.read(record)?.group }
}
