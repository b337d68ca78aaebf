// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ChatCrypto", targets: ["ChatCrypto"])
    ],
    traits: [
        .trait(
            name: "PortableAES",
            description: "AES-256-GCM by swift-crypto for processors on which libsodium offers none."
        ),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")
    ],
    targets: [
        .systemLibrary(
            name: "CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
        ),
        .target(
            name: "ChatCrypto",
            dependencies: [
                "CSodium",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["PortableAES"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "ChatCryptoTests", dependencies: ["ChatCrypto", "CSodium"], swiftSettings: strict),
    ]
)
