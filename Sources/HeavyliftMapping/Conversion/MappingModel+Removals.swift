public import HeavyliftModel

extension MappingModel {
  /// The same mapping with a removal for each source entity that is dropped only because no entity mapping mentions it.
  ///
  /// ```swift
  /// let mapping = try XcodeMappingReader.read(contentsOf: file).validMappingModel()
  /// let explicit = mapping.writingOutRemovals(from: version2, to: version3)
  /// ```
  ///
  /// Xcode's mapping models drop what they do not mention; a mapping file says so by name. A mapping model that copies
  /// such entities is returned unchanged.
  public func writingOutRemovals(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> MappingModel {
    guard unmentionedEntities == .dropped else { return self }
    let index = ModelIndex(source)
    let mentioned = MentionedEntities(entityMappings, source: index)
    var explicit = self
    explicit.unmentionedEntities = .copied
    explicit.entityMappings += source.entities.enumerated()
      .filter { !$0.element.isAbstract && !mentioned.contains($0.offset) }.map(\.element.name).sorted()
      .map { EntityMappingDescription(type: .remove, source: $0) }
    return explicit
  }
}
