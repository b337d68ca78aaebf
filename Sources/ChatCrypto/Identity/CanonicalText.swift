import Foundation

/// The Unicode normal forms of texts that are compared or shown.
package enum CanonicalText {
    /// The text in Normalization Form C.
    package static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }
}
