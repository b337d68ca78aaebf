/// The way back to the author of an envelope: the link on which it first came.
///
/// Source: PROTOCOL §5.1.
package struct Trail: Equatable, Sendable {
    /// The label of the author, which is the short id of the envelope.
    package let label: PathLabel
    /// The link; nil for an envelope of this node.
    package let link: LinkID?
    /// Whether the envelope searches for a path, and carries no message.
    package let isProbe: Bool

    /// Creates a trail.
    package init(label: PathLabel, link: LinkID?, isProbe: Bool) {
        self.label = label
        self.link = link
        self.isProbe = isProbe
    }
}
