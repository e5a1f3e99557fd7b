import HeavyliftModel

extension EntityDescription {
  /// Removes the indexes that Xcode's compiler adds to those in the model.
  ///
  /// An attribute with an index of its own gets the legacy "indexed" flag, and an attribute with the flag gets an index
  /// of the same name; an index of several properties is repeated as a legacy compound index. A store contains the
  /// index named after the attribute in addition to the declared one.
  package mutating func foldGeneratedIndexes() {
    let single = Dictionary(grouping: fetchIndexes.filter { $0.elements.count == 1 }) { $0.elements[0].propertyName }
    var generated: Set<String> = []
    attributes = attributes.map {
      let indexes = single[$0.name] ?? []
      let generatedCount = indexes.count(where: \.isGenerated)
      guard $0.isIndexed || generatedCount > 0 else { return $0 }
      generated.insert($0.name)
      var attribute = $0
      attribute.isIndexed = indexes.count == generatedCount
      return attribute
    }
    fetchIndexes.removeAll { generated.contains($0.name) && $0.isGenerated }
    let stated = Set(fetchIndexes.map { $0.elements.map(\.propertyName) })
    compoundIndexes.removeAll { $0.count > 1 && stated.contains($0.map { $0 }) }
  }
}

extension FetchIndexDescription {
  /// True if this index represents the "indexed" flag of the attribute with its name.
  fileprivate var isGenerated: Bool {
    self == FetchIndexDescription(name: name, elements: [Element(propertyName: name)])
  }
}
