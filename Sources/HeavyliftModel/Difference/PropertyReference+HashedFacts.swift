extension PropertyReference {
  /// True if both go into their entities' version hashes with the same facts.
  /// - Parameters:
  ///   - model: the model of this property, for the elements of a composite attribute.
  ///   - otherModel: the model of the other one.
  package func hasSameVersionHash(
    in model: ManagedObjectModel, as other: PropertyReference, in otherModel: ManagedObjectModel
  ) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)):
      guard one.type == two.type else { return false }
      // The elements matter for composites only, and a copy of every type is not free.
      let hasElements = one.type == .composite
      return one.hashedFacts(AttributeHasher(hasElements ? model : ManagedObjectModel()))
        == two.hashedFacts(AttributeHasher(hasElements ? otherModel : ManagedObjectModel()))
    case (.relationship(let one), .relationship(let two)): return one.hashedFacts == two.hashedFacts
    case (.fetched, .fetched): return true
    default: return false
    }
  }
}
