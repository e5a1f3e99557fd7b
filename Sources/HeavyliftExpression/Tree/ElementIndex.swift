/// The contents of the brackets after a collection.
package enum ElementIndex: Hashable, Sendable {
  case first
  case last
  /// The number of elements.
  case size
  /// An index in an ordered collection, or a key of a dictionary.
  case at(MappingExpression)
}
