/// Why a destination property gets the value that it gets.
public enum PropertyMappingOrigin: Hashable, Sendable {
  /// The mapping says so.
  case written
  /// It is the source attribute of that name.
  case copied(from: String)
  /// It is what became of the objects of the source relationship of that name, through those entity mappings.
  case rebuilt(from: String, through: [String])
  /// It gets no value: an attribute keeps its default, a relationship stays empty.
  case unmapped(UnmappedReason)
}

extension PropertyMappingOrigin {
  /// The source property that is copied, or whose objects are looked up.
  var sourcePropertyName: String? {
    switch self {
    case .copied(let name), .rebuilt(let name, _): name
    case .written, .unmapped: nil
    }
  }
}

/// Why a destination property gets no value.
public enum UnmappedReason: Hashable, Sendable {
  /// The mapping says so.
  case written
  /// The mapping copies only what it lists.
  case notListed
  /// There is no source object.
  case noSource
  /// The source entity has no such property.
  case notInSource
  /// The source has a property of that name, of another kind: an attribute where a relationship is needed.
  case otherKind(String)
  /// The source attribute's type cannot be copied into the destination's.
  case incompatible(from: String)
  /// The source relationship leads to many objects, the destination's to one.
  case manyIntoOne(from: String)
  /// No entity mapping makes objects for the relationship out of the source relationship's objects.
  case noFittingMapping(from: String)
  /// Several entity mappings fit, and none is named.
  case severalFittingMappings(from: String, [String])
  /// No store holds the value, or the store computes it.
  case notStored
}
