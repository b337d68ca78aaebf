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
        .library(name: "Earshot", targets: ["Earshot"]),
        .library(name: "MeshSimulation", targets: ["MeshSimulation"]),
        .library(name: "ChatCrypto", targets: ["ChatCrypto"]),
        .library(name: "ChatHistory", targets: ["ChatHistory"]),
        .library(name: "ChatHistoryTesting", targets: ["ChatHistoryTesting"]),
    ],
    traits: [
        .trait(
            name: "PortableAES",
            description: "AES-256-GCM by swift-crypto for processors on which libsodium offers none."
        ),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf.git", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
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
        .target(
            name: "ChatHistory",
            dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),
        .target(name: "ChatHistoryTesting", dependencies: ["ChatHistory"], swiftSettings: strict),
        .target(name: "MeshCore", swiftSettings: strict),
        .target(name: "MeshSimulation", dependencies: ["MeshCore"], swiftSettings: strict),
        .target(
            name: "Earshot",
            dependencies: [
                "ChatCrypto", "ChatHistory", "MeshCore",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: strict
        ),
    ]
)
