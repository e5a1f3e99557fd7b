/// The reason for a destination property's value.
package enum PropertyMappingOrigin: Hashable, Sendable {
  /// The mapping gives the value explicitly.
  case written
  /// The value is copied from the source attribute with that name.
  case copied(from: String)
  /// The relationship gets the counterparts of the source relationship's objects, created by the entity mappings in
  /// `through`.
  case rebuilt(from: String, through: [String])
  /// The property gets no value: an attribute keeps its default, a relationship stays empty.
  case unmapped(UnmappedReason)
}

extension PropertyMappingOrigin {
  /// The source property that is copied, or the source relationship whose objects' counterparts are looked up.
  var sourcePropertyName: String? {
    switch self {
    case .copied(let name), .rebuilt(let name, _): name
    case .written, .unmapped: nil
    }
  }
}

/// The reason why a destination property gets no value.
package enum UnmappedReason: Hashable, Sendable {
  /// The mapping excludes the property explicitly: `copy="no"`.
  case written
  /// The mapping copies only what it lists.
  case notListed
  /// The entity mapping has no source entity, so there is no source object.
  case noSource
  /// The source entity has no such property.
  case notInSource
  /// The source property of that name is of another kind, such as an attribute where a relationship is needed.
  case otherKind(String)
  /// The source attribute's type cannot be copied to the destination type.
  case incompatible(from: String)
  /// The source relationship is to-many, but the destination relationship is to-one.
  case manyIntoOne(from: String)
  /// No entity mapping turns the source relationship's objects into objects of the destination relationship's entity.
  case noFittingMapping(from: String)
  /// Several entity mappings fit, and none is named.
  case severalFittingMappings(from: String, [String])
  /// The value is not stored, or the store computes it.
  case notStored
}
