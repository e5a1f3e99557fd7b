import HeavyliftModel

extension CompiledModel {
  /// Returns the model with the version hashes that another file states for it: `VersionInfo.plist` or a store's
  /// metadata.
  ///
  /// Stated hashes override computed ones, and settle a question that the archive leaves open: which flags of an
  /// attribute mean external storage. If the hashes contradict known facts, the result contains a warning.
  ///
  /// - Parameters:
  ///   - hashes: The version hashes, by entity.
  ///   - source: The name of the other file in messages: "'VersionInfo.plist'".
  package func stating(_ hashes: [String: VersionHash], by source: String) -> CompiledModel {
    var result = stating(hashes)
    let computed = result.model.entityVersionHashes(ignoringStated: true)
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      guard let own = computed[name] else {
        result.warn(
          "stated-entity", "\(source) has a version hash for entity '\(name)', which \(subject) does not have")
        continue
      }
      if own.hash != hash, !own.isAssumed {
        result.warn(
          "stated-hash", "\(source) has a version hash for entity '\(name)' that differs from that of \(subject)",
          remedy: "the two may come from different builds: use files from the same build")
      }
    }
    for name in computed.keys.sorted() where hashes[name] == nil {
      result.warn("unstated-entity", "\(source) has no version hash for entity '\(name)' of \(subject)")
    }
    return result
  }

  /// Returns the model with these version hashes, without comparing them with computed ones.
  func stating(_ hashes: [String: VersionHash]) -> CompiledModel {
    var result = self
    result.model.statedVersionHashes = hashes
    result.settleExternalStorage(hashes)
    return result
  }

  /// Tries the possible meanings of the unexplained flags of binary attributes until the computed hash equals the
  /// stated one.
  private mutating func settleExternalStorage(_ hashes: [String: VersionHash]) {
    for (entityName, flags) in unexplainedFlags {
      guard let stated = hashes[entityName], let place = model.entities.firstIndex(where: { $0.name == entityName })
      else { continue }
      // The candidate model has only this entity and its ancestors: the entity's hash depends on nothing else.
      let lineage = model.lineage(of: model.entities[place])
      let used = flags.values.reduce(0, |)
      let bits = (0..<63).map { Int64(1) << Int64($0) }.filter { used & $0 != 0 }
      // Either all bits mean external storage, or none, or exactly one.
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

  /// Returns a note about the assumed meaning of flags. It is removed if a stated hash settles the question.
  static func assumedExternalStorage(
    _ attribute: String, of entity: String, flags: Int64, in subject: String
  ) -> Diagnostic {
    Diagnostic(
      .note, code: "archive.assumed-external-storage",
      problem: "\(subject) has unknown flags \(flags) for attribute '\(attribute)' of entity '\(entity)': "
        + "the attribute is assumed to allow external storage")
  }

  private mutating func warn(_ code: String, _ problem: String, remedy: String? = nil) {
    diagnostics.append(Diagnostic(.warning, code: "archive.\(code)", problem: problem, remedy: remedy))
  }
}
