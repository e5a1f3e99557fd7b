public import Foundation
import Heavylift

/// A request for typed objects, with a predicate and a sort order.
///
/// ```swift
/// var descriptor = FetchDescriptor(predicate: #Predicate<Track> { $0.album?.title == "Kind of Blue" })
/// descriptor.sortBy = [SortKey(\.number)]
/// descriptor.fetchLimit = 5
/// let tracks = try context.fetch(descriptor)
/// ```
public struct FetchDescriptor<Model: Entity> {
  /// The condition that objects must meet; nil for all objects.
  public var predicate: MappingPredicate?
  /// A condition in Swift, which objects must meet, too. It is translated when objects are fetched.
  public var typedPredicate: Predicate<Model>?
  /// The values of the predicate's variables, by name without `$`.
  public var variables: [String: ExpressionValue] = [:]
  /// The sort order. Objects with equal keys are sorted by primary key.
  public var sortBy: [SortKey<Model>]
  /// The maximum number of objects; nil for no limit.
  public var fetchLimit: Int?
  /// The number of objects to skip at the start.
  public var fetchOffset: Int?
  /// A Boolean value that indicates whether unsaved changes affect the result.
  public var includesPendingChanges = true
  /// A Boolean value that indicates whether objects of subclasses are fetched, too.
  public var includesSubclasses = true

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - predicate: The condition that objects must meet; nil for all objects.
  ///   - keys: The sort order.
  public init(predicate: MappingPredicate? = nil, sortBy keys: [SortKey<Model>] = []) {
    self.predicate = predicate
    sortBy = keys
  }

  /// Creates a request with a predicate in Swift.
  ///
  /// Comparisons, arithmetic, `&&`, `||`, `!`, `??`, optional chaining, `contains`, `allSatisfy`, `isEmpty`, `count`
  /// and `starts(with:)` become SQL. Fetching throws an error that names any other part.
  ///
  /// - Parameters:
  ///   - predicate: The condition that objects must meet.
  ///   - keys: The sort order.
  public init(predicate: Predicate<Model>, sortBy keys: [SortKey<Model>] = []) {
    typedPredicate = predicate
    sortBy = keys
  }

  /// Creates a request with a predicate in the expression language.
  ///
  /// - Parameters:
  ///   - format: The predicate, with placeholders.
  ///   - arguments: The values for the placeholders.
  ///   - keys: The sort order.
  /// - Throws: `ExpressionSyntaxError`
  public init(
    where format: String, _ arguments: any FormatArgumentConvertible..., sortBy keys: [SortKey<Model>] = []
  ) throws {
    predicate = try MappingPredicate(format: format, arguments: arguments.map(\.formatArgument))
    sortBy = keys
  }
}

/// A key to sort typed objects by.
///
/// ```swift
/// let keys: [SortKey<Track>] = [SortKey(\.addedAt, .reverse), SortKey("album.title")]
/// ```
public struct SortKey<Model: Entity>: Hashable, Sendable {
  /// The direction of a sort.
  public enum Order: Hashable, Sendable {
    /// From the smallest to the largest value.
    case forward
    /// From the largest to the smallest value.
    case reverse
  }

  /// The key path in the store: `title`, `album.title`.
  public let keyPath: String
  /// The direction in which values are sorted.
  public let order: Order

  /// Creates a key from an attribute.
  ///
  /// - Parameters:
  ///   - path: The attribute: `\.$title`.
  ///   - order: The direction.
  public init<Value>(_ path: KeyPath<Model, AttributeReference<Value>>, _ order: Order = .forward) {
    self.init(EntityType.property(at: path)?.name ?? "", order)
  }

  /// Creates a key from an attribute. To sort by an attribute of another object, write the key path as text.
  ///
  /// - Parameters:
  ///   - path: The attribute: `\.title`.
  ///   - order: The direction.
  public init<Value>(_ path: KeyPath<Model, Value>, _ order: Order = .forward) {
    self.init(EntityType.attribute(readBy: path, of: Model.self)?.name ?? "\(path)", order)
  }

  /// Creates a key from a key path in the store, which can lead through to-one relationships.
  ///
  /// - Parameters:
  ///   - keyPath: The key path: `album.title`.
  ///   - order: The direction.
  public init(_ keyPath: String, _ order: Order = .forward) {
    self.keyPath = keyPath
    self.order = order
  }
}

extension Entity: FormatArgumentConvertible {
  /// The object, for `%@`.
  public var formatArgument: FormatArgument { managedObject.formatArgument }
}
