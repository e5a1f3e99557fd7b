public import HeavyliftModel

extension MappingModel {
  /// Returns the mapping with explicit removals for everything that it drops only by not mentioning it.
  ///
  /// ```swift
  /// let mapping = try MappingModel(contentsOf: file)
  /// let explicit = mapping.writingOutRemovals(from: version2, to: version3)
  /// ```
  ///
  /// Xcode's mapping models drop entities that they do not mention, and properties that may have been renamed; a
  /// mapping file must drop both by name. A mapping model that copies what it does not mention is returned unchanged.
  public func writingOutRemovals(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> MappingModel {
    unmentionedEntities == .dropped ? complete(from: source, to: destination).writingOutRemovals : self
  }
}

extension CompleteMappingModel {
  /// The mapping model with explicit removals for everything that it otherwise drops by not mentioning it.
  var writingOutRemovals: MappingModel {
    guard mappingModel.unmentionedEntities == .dropped else { return mappingModel }
    let mentioned = MentionedEntities(mappingModel.entityMappings, source: ModelIndex(sourceModel))
    var explicit = mappingModel
    explicit.unmentionedEntities = .copied
    for (fact, findings) in facts.gone.findings() {
      explicit.entityMappings[fact.number].droppedProperties += findings.filter {
        !$0.candidates.isEmpty && !$0.isInherited
      }
      .map { DroppedProperty($0.property.name) }
    }
    explicit.entityMappings += sourceModel.entities.enumerated()
      .filter { !$0.element.isAbstract && !mentioned.contains($0.offset) }.map(\.element.name).sorted()
      .map { EntityMappingDescription(type: .remove, source: $0) }
    return explicit
  }
}
