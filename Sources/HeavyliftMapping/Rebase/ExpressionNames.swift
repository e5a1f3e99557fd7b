import HeavyliftExpression

/// The kind of value that an expression has, in as much detail as renaming needs.
enum NamedThing: Hashable {
  /// A plain or unknown value.
  case unknown
  /// One or more objects of an entity, with the entity's old and new name.
  case objects(MappingSide, ModelCorrespondence.Owner)
  /// Values of a composite type.
  case composite(MappingSide, old: String?, new: String?)
  /// The description of an object's entity.
  case entity(MappingSide)
  /// The name of an object's entity.
  case entityName(MappingSide)
  case migrationManager
}

/// Provides new names for the names in an expression.
protocol ExpressionNames: AnyObject {
  /// Returns the new name of a key, and the kind of value that it has.
  func key(_ name: String, of thing: NamedThing, at range: SourceRange) -> (name: String, thing: NamedThing)
  /// Returns the new name of an entity, and the kind of its objects.
  func entity(_ name: String, of side: MappingSide, at range: SourceRange) -> (name: String, objects: NamedThing)
  /// Returns the new name of an entity mapping, and the kinds of its source and destination objects.
  func entityMapping(_ name: String) -> (name: String, source: NamedThing, destination: NamedThing)
}
