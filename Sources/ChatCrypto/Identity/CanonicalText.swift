import Foundation

/// The Unicode normal forms of texts that are compared or shown.
package enum CanonicalText {
    /// Converts a text to Normalization Form C.
    package static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }
}
