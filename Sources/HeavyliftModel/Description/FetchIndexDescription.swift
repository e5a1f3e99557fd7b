/// An index that the store maintains for an entity.
public struct FetchIndexDescription: Hashable, Sendable {
  /// The way an element is indexed. The raw values are Core Data's.
  public enum CollationType: Int, Hashable, Sendable {
    /// In a B-tree, the usual kind.
    case binary = 0
    /// In an R-tree, for ranges of numbers such as coordinates.
    case rTree = 1
  }

  /// One column of an index.
  public struct Element: Hashable, Sendable {
    /// The indexed property; nil if an expression is indexed instead.
    public var propertyName: String?
    /// The indexed expression as written, if the element is not a property.
    public var expression: String?
    /// The kind of index that the element needs.
    public var collationType: CollationType
    /// A Boolean value that indicates whether small values come first.
    public var isAscending: Bool
    /// The spelling in the file. Not compared by `==`.
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

  /// The name, which is unique in the entity.
  public var name: String
  /// The indexed properties and expressions in order.
  public var elements: [Element]
  /// The predicate that indexed objects satisfy, as written; nil for all objects.
  public var partialIndexPredicate: String?
  /// The spelling in the file. Not compared by `==`.
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
