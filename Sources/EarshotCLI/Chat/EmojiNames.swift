/// The emoji by their usual names between colons.
enum EmojiNames {
    /// The emoji by name.
    static let all: [String: String] = [
        "+1": "👍", "-1": "👎", "100": "💯", "angry": "😠", "apple": "🍎", "astonished": "😲", "bacon": "🥓",
        "beer": "🍺", "bike": "🚲", "birthday": "🎂", "blush": "😊", "boom": "💥", "broken_heart": "💔", "bug": "🐛",
        "bulb": "💡", "bus": "🚌", "cake": "🍰", "calendar": "📅", "camera": "📷", "car": "🚗", "cat": "🐱",
        "check": "✅", "clap": "👏", "clock": "🕒", "cloud": "☁️", "coffee": "☕", "cold": "🥶", "confused": "😕",
        "cry": "😢", "dizzy": "💫", "dog": "🐶", "ear": "👂", "earth": "🌍", "exploding_head": "🤯", "eyes": "👀",
        "facepalm": "🤦", "fire": "🔥", "fox": "🦊", "ghost": "👻", "gift": "🎁", "grin": "😁", "hand": "✋",
        "heart": "❤️", "heart_eyes": "😍", "hourglass": "⌛", "house": "🏠", "hug": "🤗", "joy": "😂", "key": "🔑",
        "kiss": "😘", "laughing": "😆", "lock": "🔒", "mega": "📣", "melting": "🫠", "moon": "🌙", "muscle": "💪",
        "mute": "🔇", "no": "⛔", "ok": "🆗", "ok_hand": "👌", "party": "🥳", "phone": "📱", "pin": "📌",
        "pizza": "🍕", "pray": "🙏", "question": "❓", "rain": "🌧️", "raised_hands": "🙌", "rocket": "🚀",
        "rose": "🌹", "run": "🏃", "scream": "😱", "see_no_evil": "🙈", "shrug": "🤷", "sleeping": "😴", "smile": "😄",
        "smirk": "😏", "snow": "❄️", "sob": "😭", "sparkles": "✨", "star": "⭐", "sun": "☀️", "sunglasses": "😎",
        "sweat": "😅", "tada": "🎉", "tea": "🍵", "thinking": "🤔", "thumbsdown": "👎", "thumbsup": "👍",
        "train": "🚆", "tree": "🌳", "umbrella": "☔", "upside_down": "🙃", "v": "✌️", "warning": "⚠️", "wave": "👋",
        "wink": "😉", "wrench": "🔧", "x": "❌", "yum": "😋", "zap": "⚡", "zzz": "💤",
    ]

    /// Replaces the names of emoji in a text; unknown names stay.
    static func replaced(in text: String) -> String {
        guard text.contains(":") else { return text }
        return text.replacing(/:([a-z0-9_+-]+):/) { match in all[String(match.output.1)] ?? String(match.output.0) }
    }
}
