// The values of the core belong to the library's own interface: `import Earshot` brings them.
@_exported public import ChatCore
// Identities, trust and their words belong to the library's own interface: `import Earshot` brings them.
@_exported public import ChatCrypto

// The form of metrics belongs to it as well.
@_exported public import struct MeshTransport.Metric
