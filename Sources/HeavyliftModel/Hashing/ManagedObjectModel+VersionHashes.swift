import HeavyliftConcurrency

extension ManagedObjectModel {
  /// The version hash of every entity, by name: the hash that a compiled file states, or else the computed hash.
  public var versionHashes: [String: VersionHash] {
    facts.versionHashes { entityVersionHashes().mapValues(\.hash) }
  }

  /// Returns the version hash of every entity, by name, with the reasons to doubt it.
  ///
  /// ```swift
  /// for (name, version) in model.entityVersionHashes() where version.isAssumed {
  ///   print("the hash of '\(name)' is assumed, because \(version.assumptions[0])")
  /// }
  /// ```
  ///
  /// Even a broken model has hashes: an entity whose superentity is missing, or that inherits from itself, is hashed
  /// without its superentity, with an assumption that notes this. `check()` reports what is broken.
  /// - Parameter ignoringStated: Pass true to compute hashes even if a compiled file states them, for example to
  ///   compare them with the stated ones.
  package func entityVersionHashes(ignoringStated: Bool = false) -> [String: EntityVersionHash] {
    ignoringStated && !statedVersionHashes.isEmpty
      ? computedHashes(stated: [:]) : facts.entityVersionHashes { computedHashes(stated: statedVersionHashes) }
  }

  private func computedHashes(stated: [String: VersionHash]) -> [String: EntityVersionHash] {
    WorkCount.add(.hash, title)
    var hasher = VersionHasher(self, stated: stated)
    return hasher.hashAll()
  }

  /// The checksum of the model, as in a store's metadata and in `VersionInfo.plist`: SHA-256 in Base64.
  public var versionChecksum: String { facts.versionChecksum { versionHashes.versionChecksum } }

  /// Returns true if stores show that they have the same version as stores of another model.
  package func isSameVersion(as other: ManagedObjectModel) -> Bool {
    versionID == other.versionID && hasSameVersionHashes(as: other)
  }

  /// Returns true if all version hashes are the same. Most versions have other names, which takes no hash to find out.
  package func hasSameVersionHashes(as other: ManagedObjectModel) -> Bool {
    if facts === other.facts { return true }
    let areComputed = statedVersionHashes.isEmpty && other.statedVersionHashes.isEmpty
    return (!areComputed || hashedNames == other.hashedNames) && versionHashes == other.versionHashes
  }

  /// The digest of the version hashes, as in a store's metadata: SHA-512 in Base64.
  public var versionHashesDigest: String { versionHashes.versionHashesDigest }
}

extension [String: VersionHash] {
  /// SHA-256 of all hashes, sorted by entity name, in Base64.
  public var versionChecksum: String {
    var digest = SHA2(.sha256)
    for (_, hash) in inOrderOfName { digest.update(hash.bytes) }
    return digest.finalize().base64EncodedString()
  }

  /// SHA-512 of all names and hashes, sorted by name, in Base64.
  public var versionHashesDigest: String {
    var digest = SHA2(.sha512)
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
