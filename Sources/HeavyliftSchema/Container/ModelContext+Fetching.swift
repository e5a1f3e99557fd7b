public import Foundation
import Heavylift

extension ModelContext {
  /// Returns the objects that match a descriptor, in its sort order.
  ///
  /// - Parameter descriptor: The class, the predicate and the sort order.
  public func fetch<Model: Entity>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
    try managedObjectContext.fetch(request(descriptor)).map { try typed($0) }
  }

  /// Returns all objects of a class, including its subclasses.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - keys: The sort order; objects with equal keys are sorted by primary key.
  public func fetch<Model: Entity>(_ type: Model.Type, sortBy keys: [SortKey<Model>] = []) throws -> [Model] {
    try fetch(FetchDescriptor<Model>(sortBy: keys))
  }

  /// Returns the objects that match a predicate in Swift.
  ///
  /// ```swift
  /// let tracks = try context.fetch(#Predicate<Track> { $0.rating >= 4 }, sortBy: [SortKey(\.title)])
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: The condition, which becomes SQL: see ``FetchDescriptor/init(predicate:sortBy:)-(Predicate<Model>,_)``.
  ///   - keys: The sort order; objects with equal keys are sorted by primary key.
  public func fetch<Model: Entity>(
    _ predicate: Predicate<Model>, sortBy keys: [SortKey<Model>] = []
  ) throws -> [Model] {
    try fetch(FetchDescriptor(predicate: predicate, sortBy: keys))
  }

  /// Returns the objects that match a predicate.
  ///
  /// ```swift
  /// let tracks = try context.fetch(
  ///   Track.self, where: "rating >= %d AND ANY artists == %@", 4, artist, sortBy: [SortKey(\.$title)])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - format: The predicate in the expression language, with placeholders.
  ///   - arguments: The values for the placeholders.
  ///   - keys: The sort order; objects with equal keys are sorted by primary key.
  public func fetch<Model: Entity>(
    _ type: Model.Type, where format: String, _ arguments: any FormatArgumentConvertible...,
    sortBy keys: [SortKey<Model>] = []
  ) throws -> [Model] {
    var descriptor = FetchDescriptor<Model>(sortBy: keys)
    descriptor.predicate = try MappingPredicate(format: format, arguments: arguments.map(\.formatArgument))
    return try fetch(descriptor)
  }

  /// Returns the number of objects that match a descriptor, without creating them if SQLite can count them.
  ///
  /// - Parameter descriptor: The class and the predicate.
  public func fetchCount<Model: Entity>(_ descriptor: FetchDescriptor<Model>) throws -> Int {
    try managedObjectContext.count(for: request(descriptor))
  }

  /// Calls `body` with one object at a time. Memory does not grow with the number of objects, as long as `body` neither
  /// keeps nor changes them; to change them, save every few thousand objects.
  ///
  /// Unsaved changes are ignored.
  /// - Parameters:
  ///   - descriptor: The class, the predicate and the sort order.
  ///   - body: A closure that is called with each object.
  public func enumerate<Model: Entity>(
    _ descriptor: FetchDescriptor<Model>, _ body: (Model) throws -> Void
  ) throws {
    try managedObjectContext.enumerate(request(descriptor)) { try body(typed($0)) }
  }

  /// Returns the object with an identifier, or nil if the store does not have it as an object of that class.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - type: The object's class.
  public func existing<Model: Entity>(_ id: ManagedObjectID, as type: Model.Type) throws -> Model? {
    guard let object = try managedObjectContext.existingObject(with: id) else { return nil }
    return try entity(for: object) as? Model
  }

  /// Returns the typed object of a fetched one, whose class is that of the request or a subclass.
  private func typed<Model: Entity>(_ object: ManagedObject) throws -> Model {
    let entity = try entity(for: object)
    guard let model = entity as? Model else {
      preconditionFailure("object \(object) of class '\(type(of: entity))' is not a '\(Model.self)'")
    }
    return model
  }

  func request<Model: Entity>(_ descriptor: FetchDescriptor<Model>) throws -> FetchRequest {
    var request = FetchRequest(entityName: try entity(of: Model.self).name)
    let translated = try descriptor.typedPredicate.map { try translate($0) }
    request.predicate =
      descriptor.predicate.flatMap { text in translated.map { MappingPredicate(.and([text, $0])) } ?? text }
      ?? translated
    request.variables = descriptor.variables
    request.sortKeys = descriptor.sortBy.map { .init(keyPath: $0.keyPath, isAscending: $0.order == .forward) }
    request.fetchLimit = descriptor.fetchLimit ?? 0
    request.fetchOffset = descriptor.fetchOffset ?? 0
    request.includesPendingChanges = descriptor.includesPendingChanges
    request.includesSubentities = descriptor.includesSubclasses
    return request
  }
}
