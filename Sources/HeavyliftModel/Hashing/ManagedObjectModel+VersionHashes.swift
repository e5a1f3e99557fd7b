extension ManagedObjectModel {
  /// The hash of every entity by name: the one that a compiled file states, or else the one that is computed.
  public var versionHashes: [String: VersionHash] { entityVersionHashes().mapValues(\.hash) }

  /// The hash of every entity by name, with how far it can be trusted.
  ///
  /// ```swift
  /// for (name, version) in model.entityVersionHashes() where version.isAssumed {
  ///   print("the hash of '\(name)' is assumed, because \(version.assumptions[0])")
  /// }
  /// ```
  ///
  /// A broken model has hashes too: an entity whose superentity is missing, or that inherits from itself, is hashed
  /// without it, and marked. `check()` says what is broken.
  /// - Parameter ignoringStated: whether to compute even what a compiled file states, to compare the two.
  public func entityVersionHashes(ignoringStated: Bool = false) -> [String: EntityVersionHash] {
    ignoringStated && !statedVersionHashes.isEmpty
      ? computedHashes(stated: [:]) : facts.versionHashes { computedHashes(stated: statedVersionHashes) }
  }

  private func computedHashes(stated: [String: VersionHash]) -> [String: EntityVersionHash] {
    var hasher = VersionHasher(self, stated: stated)
    return hasher.hashAll()
  }

  /// What a store's metadata and `VersionInfo.plist` call the checksum of a model: SHA-256 in base64.
  public var versionChecksum: String { versionHashes.versionChecksum }

  /// What a store's metadata calls the digest of its version hashes: SHA-512 in base64.
  public var versionHashesDigest: String { versionHashes.versionHashesDigest }
}

extension [String: VersionHash] {
  /// SHA-256, in base64, of all hashes in order of their entities' names.
  public var versionChecksum: String {
    var digest = SHA256()
    for (_, hash) in inOrderOfName { digest.update(hash.bytes) }
    return digest.finalize().base64EncodedString()
  }

  /// SHA-512, in base64, of all names and hashes in order of the names.
  public var versionHashesDigest: String {
    var digest = SHA512()
    for (name, hash) in inOrderOfName {
      digest.update(name.utf8)
      digest.update(hash.bytes)
    }
    return digest.finalize().base64EncodedString()
  }

  private var inOrderOfName: [(key: String, value: VersionHash)] {
    sorted { $0.key.precedesInCodeUnits($1.key) }
  }
}
