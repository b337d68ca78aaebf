/// A value in the order of a key.
struct Keyed<Key: Comparable & Sendable, Value: Comparable & Sendable>: Comparable, Sendable {
    let key: Key
    let value: Value

    static func < (left: Keyed, right: Keyed) -> Bool { (left.key, left.value) < (right.key, right.value) }
}
