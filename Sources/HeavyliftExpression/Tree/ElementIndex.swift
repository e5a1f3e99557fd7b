/// Which element of a collection stands in brackets.
public enum ElementIndex: Hashable, Sendable {
  case first
  case last
  /// Not an element, but how many there are.
  case size
  /// A place in an ordered collection, or a key of a dictionary.
  case at(MappingExpression)
}
