// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The compiler takes NIO's private C module, which nobody may import, for the home of some members of the system's
// socket structures. So the one target that fills such structures does without member import visibility.
let strictExceptMembers: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Earshot", targets: ["Earshot"]),
        .library(name: "MeshSimulation", targets: ["MeshSimulation"]),
        .library(name: "MeshTransport", targets: ["MeshTransport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
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
        .target(
            name: "MeshTransport",
            dependencies: [
                "MeshCore",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strictExceptMembers
        ),
        .testTarget(name: "MeshCoreTests", dependencies: ["MeshCore"], swiftSettings: strict),
        .testTarget(
            name: "MeshTransportTests",
            dependencies: [
                "MeshCore",
                "MeshSimulation",
                "MeshTransport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strictExceptMembers
        ),
        .target(name: "MeshSimulation", dependencies: ["MeshCore"], swiftSettings: strict),
        .testTarget(
            name: "MeshSimulationTests",
            dependencies: ["MeshCore", "MeshSimulation"],
            swiftSettings: strict
        ),
    ]
)
