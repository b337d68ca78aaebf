import ChatCore

/// The memory of a home that is closed until its node starts again.
struct SuspendedHome: Sendable {
    /// The keys of its records.
    let seals: RecordSeals
    /// The id of its store, to which the keys are bound.
    let databaseID: [UInt8]
}
