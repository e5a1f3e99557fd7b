import Heavylift

/// A property whose value is the result of a fetch: it is not stored, and each access fetches again.
///
/// ```swift
/// @FetchedProperty("artist == $FETCH_SOURCE AND rating >= 4", sortBy: ["title"]) var favorites: [Track]
/// ```
@propertyWrapper
public struct FetchedProperty<Target: Entity>: WrappedProperty {
  private let record: EntityRecord
  let number: Int

  /// Creates a fetched property.
  ///
  /// - Parameters:
  ///   - predicate: The condition that the objects must meet. In it, `$FETCH_SOURCE` is the object with the property.
  ///   - keys: The key paths to sort by. A `-` before a key path means descending order.
  ///   - fetchLimit: The maximum number of objects; 0 for no limit.
  public init(_ predicate: String, sortBy keys: [String] = [], fetchLimit: Int = 0) {
    record = EntityConstruction.record()
    number = record.add(
      FetchedDeclaration(
        destination: Target.self, predicate: predicate, fetchLimit: fetchLimit,
        sortKeys: keys.map { key in
          let isAscending = !key.hasPrefix("-")
          return FetchRequest.SortKey(keyPath: isAscending ? key : String(key.dropFirst()), isAscending: isAscending)
        }))
  }

  /// The objects. If they cannot be fetched, the context's next save throws the reason.
  public var wrappedValue: [Target] {
    guard let object = record.object, let context = record.context,
      let declaration = record.binding?.type.properties[number].declaration as? FetchedDeclaration
    else { return [] }
    return record.keeping({ [] }) {
      var descriptor = FetchDescriptor<Target>()
      descriptor.predicate = try MappingPredicate(format: declaration.predicate)
      descriptor.variables["FETCH_SOURCE"] = .object(object)
      descriptor.sortBy = declaration.sortKeys.map { SortKey($0.keyPath, $0.isAscending ? .forward : .reverse) }
      if declaration.fetchLimit > 0 { descriptor.fetchLimit = declaration.fetchLimit }
      return try context.fetch(descriptor)
    }
  }
}
