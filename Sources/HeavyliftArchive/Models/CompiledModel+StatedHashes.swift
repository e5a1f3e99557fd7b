public import HeavyliftModel

extension CompiledModel {
  /// The model with the version hashes that another file states for it: `VersionInfo.plist`, a store's metadata.
  ///
  /// They overrule computed hashes, and decide what the archive alone leaves open: which of its flags mean external
  /// storage. Where they contradict what is known, a warning says so.
  ///
  /// - Parameters:
  ///   - hashes: By entity.
  ///   - source: What states them, for messages: "'VersionInfo.plist'".
  public func stating(_ hashes: [String: VersionHash], by source: String) -> CompiledModel {
    var result = self
    result.model.statedVersionHashes = hashes
    result.settleExternalStorage(hashes)

    let computed = result.model.entityVersionHashes(ignoringStated: true)
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      guard let own = computed[name] else {
        result.warn("stated-entity", "\(source) has a version hash of entity '\(name)', which \(subject) does not have")
        continue
      }
      if own.hash != hash, !own.isAssumed {
        result.warn(
          "stated-hash", "\(source) has another version hash of entity '\(name)' than \(subject) gives",
          remedy: "the two may come from different builds: take both from the same one")
      }
    }
    for name in computed.keys.sorted() where hashes[name] == nil {
      result.warn("unstated-entity", "\(source) has no version hash of entity '\(name)' of \(subject)")
    }
    return result
  }

  /// Tries what the unexplained flags of binary attributes may mean, until the stated hash comes out.
  private mutating func settleExternalStorage(_ hashes: [String: VersionHash]) {
    for (entityName, flags) in unexplainedFlags {
      guard let stated = hashes[entityName], let place = model.entities.firstIndex(where: { $0.name == entityName })
      else { continue }
      // A model of the one entity and what it inherits from: its hash depends on nothing else.
      let lineage = model.lineage(of: model.entities[place])
      let used = flags.values.reduce(0, |)
      let bits = (0..<63).map { Int64(1) << Int64($0) }.filter { used & $0 != 0 }
      // Every bit means it, or none does, or one of them.
      for meaning in [-1, 0] + bits {
        var entity = model.entities[place]
        entity.attributes = entity.attributes.map {
          guard $0.type == .binaryData, let value = flags[$0.name] else { return $0 }
          var attribute = $0
          attribute.allowsExternalBinaryDataStorage = value & meaning != 0
          return attribute
        }
        var others = hashes
        others[entityName] = nil
        let candidate = ManagedObjectModel(entities: [entity] + lineage.dropFirst(), statedVersionHashes: others)
        if candidate.versionHashes[entityName] == stated {
          model.entities[place] = entity
          let settled = flags.map { Self.assumedExternalStorage($0.key, of: entityName, flags: $0.value, in: subject) }
          diagnostics.removeAll { settled.contains($0) }
          break
        }
      }
    }
  }

  /// The note that stands until a stated hash settles the question.
  static func assumedExternalStorage(
    _ attribute: String, of entity: String, flags: Int64, in subject: String
  ) -> Diagnostic {
    Diagnostic(
      .note, code: "archive.assumed-external-storage",
      problem: "\(subject) has unknown flags \(flags) for attribute '\(attribute)' of entity '\(entity)': "
        + "it is assumed to allow external storage")
  }

  private mutating func warn(_ code: String, _ problem: String, remedy: String? = nil) {
    diagnostics.append(Diagnostic(.warning, code: "archive.\(code)", problem: problem, remedy: remedy))
  }
}
