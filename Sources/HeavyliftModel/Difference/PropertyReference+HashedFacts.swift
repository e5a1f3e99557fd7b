extension PropertyReference {
  /// Returns true if both contribute the same facts to their entities' version hashes.
  /// - Parameters:
  ///   - model: The model of this property, for the elements of a composite attribute.
  ///   - otherModel: The model of the other property.
  package func hasSameVersionHash(
    in model: ManagedObjectModel, as other: PropertyReference, in otherModel: ManagedObjectModel
  ) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)):
      guard one.type == two.type else { return false }
      // The elements matter only for composites, and hashing every composite type of a model is expensive.
      let hasElements = one.type == .composite
      return one.hashedFacts(AttributeHasher(hasElements ? model : ManagedObjectModel()))
        == two.hashedFacts(AttributeHasher(hasElements ? otherModel : ManagedObjectModel()))
    case (.relationship(let one), .relationship(let two)): return one.hashedFacts == two.hashedFacts
    case (.fetched, .fetched): return true
    default: return false
    }
  }
}
