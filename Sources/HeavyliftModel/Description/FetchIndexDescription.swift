/// An index that the store maintains for an entity.
public struct FetchIndexDescription: Hashable, Sendable {
  /// The way an element is indexed. The raw values are Core Data's.
  public enum CollationType: Int, Hashable, Sendable {
    case binary = 0
    case rTree = 1
  }

  /// One column of an index.
  public struct Element: Hashable, Sendable {
    /// The indexed property; nil if an expression is indexed instead.
    public var propertyName: String?
    /// The indexed expression as written, if the element is not a property.
    public var expression: String?
    public var collationType: CollationType
    public var isAscending: Bool
    public var markup: Markup

    /// Creates an element.
    public init(
      propertyName: String?, expression: String? = nil, collationType: CollationType = .binary,
      isAscending: Bool = true, markup: Markup = Markup()
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.collationType = collationType
      self.isAscending = isAscending
      self.markup = markup
    }
  }

  public var name: String
  public var elements: [Element]
  public var partialIndexPredicate: String?
  public var markup: Markup

  /// Creates an index.
  public init(
    name: String, elements: [Element], partialIndexPredicate: String? = nil, markup: Markup = Markup()
  ) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
    self.markup = markup
  }
}
