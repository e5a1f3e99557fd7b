extension PropertyReference {
  /// Returns true if both contribute the same facts to their entities' version hashes.
  /// - Parameters:
  ///   - model: The model of this property, for the elements of a composite attribute.
  ///   - entity: The name of the entity that declares this property.
  ///   - otherModel: The model of the other property.
  ///   - otherEntity: The name of the entity that declares the other property.
  package func hasSameVersionHash(
    in model: ManagedObjectModel, _ entity: String, as other: PropertyReference, in otherModel: ManagedObjectModel,
    _ otherEntity: String
  ) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)):
      guard one.type == two.type else { return false }
      // The elements matter only for composites, and hashing every composite type of a model is expensive.
      let hasElements = one.type == .composite
      return one.hashedFacts(AttributeHasher(hasElements ? model : ManagedObjectModel()))
        == two.hashedFacts(AttributeHasher(hasElements ? otherModel : ManagedObjectModel()))
    case (.relationship(let one), .relationship(let two)):
      return one.hashedFacts(in: entity) == two.hashedFacts(in: otherEntity)
    case (.fetched, .fetched): return true
    default: return false
    }
  }
}
