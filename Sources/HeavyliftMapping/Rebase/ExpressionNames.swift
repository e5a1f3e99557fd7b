import HeavyliftExpression

/// What an expression gives, as far as names depend on it.
enum NamedThing: Hashable {
  /// A value, or something that cannot be told.
  case unknown
  /// An object or several, of an entity as it was and as it is.
  case objects(MappingSide, ModelCorrespondence.Owner)
  /// Values of a composite type.
  case composite(MappingSide, old: String?, new: String?)
  /// The description of an object's entity.
  case entity(MappingSide)
  /// The name of an object's entity.
  case entityName(MappingSide)
  case migrationManager
}

/// What the names in an expression become.
protocol ExpressionNames: AnyObject {
  /// What a key of objects becomes, and what it gives.
  func key(_ name: String, of thing: NamedThing, at range: SourceRange) -> (name: String, thing: NamedThing)
  /// What the name of an entity becomes, and its objects.
  func entity(_ name: String, of side: MappingSide, at range: SourceRange) -> (name: String, objects: NamedThing)
  /// What the name of an entity mapping becomes, and the objects that it leads from and to.
  func entityMapping(_ name: String) -> (name: String, source: NamedThing, destination: NamedThing)
}
