#if canImport(Darwin)
    import Foundation

    extension NodeHome {
        /// Asks the system to keep a new home out of backups, and to encrypt it until the user has unlocked the device
        /// once since it started.
        ///
        /// A backup would hold the key file beside the data, and its restoring would put back an earlier state. Files
        /// take the protection of the directory they are created in. Volumes without these properties are no error.
        static func protect(_ directory: URL) {
            let protection = FileProtectionType.completeUntilFirstUserAuthentication
            try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: directory.path)
            var home = directory
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? home.setResourceValues(values)
        }
    }
#endif
