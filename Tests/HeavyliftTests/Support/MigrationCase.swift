import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// The input of a law: models, mappings and the contents of a store. Parts can be omitted.
struct MigrationCase {
  let models: [ManagedObjectModel]
  var mappings: [MappingModel]
  private let fill: (ManagedObjectContext) throws -> Void
  private var omittedObjects: Set<String> = []

  /// A part that a migration can do without.
  private enum Part: Hashable {
    case object(String)
    case mapping(hop: Int, place: Int)
    case property(hop: Int, mapping: Int, place: Int)
    case filter(hop: Int, mapping: Int)
    case policy(hop: Int, mapping: Int)
  }

  init(
    _ models: [ManagedObjectModel], _ mappings: [MappingModel], fill: @escaping (ManagedObjectContext) throws -> Void
  ) {
    (self.models, self.mappings, self.fill) = (models, mappings, fill)
  }

  init(_ generated: GeneratedMigration) {
    self.init([generated.old, generated.new], [generated.mapping]) { context in
      var copy = generated
      try copy.fill(context)
    }
  }

  /// Fills the store of the first version with the remaining objects.
  func populate(_ context: ManagedObjectContext) throws {
    try fill(context)
    try context.save()
    guard !omittedObjects.isEmpty else { return }
    for object in try Self.objects(in: context) where omittedObjects.contains(object.description) {
      try context.delete(object)
    }
    try context.save()
  }

  /// Returns the smallest case for which the condition was found to hold.
  func shrunk(while holds: (MigrationCase) throws -> Bool) throws -> MigrationCase {
    let parts = try self.parts()
    let least = parts.shrunk(tries: 600) { kept in
      // A case that cannot be built does not count.
      (try? holds(leavingOut(Set(parts).subtracting(kept)))) ?? false
    }
    return leavingOut(Set(parts).subtracting(least))
  }

  private func parts() throws -> [Part] {
    var parts: [Part] = []
    for (hop, model) in mappings.enumerated() {
      for (place, mapping) in model.entityMappings.enumerated() {
        parts.append(.mapping(hop: hop, place: place))
        if mapping.filter != nil { parts.append(.filter(hop: hop, mapping: place)) }
        if mapping.policyClassName != nil { parts.append(.policy(hop: hop, mapping: place)) }
        parts += mapping.propertyMappings.indices.map { .property(hop: hop, mapping: place, place: $0) }
      }
    }
    return try parts + objectNames().map { .object($0) }
  }

  private func leavingOut(_ parts: Set<Part>) -> MigrationCase {
    var copy = self
    for (hop, model) in mappings.enumerated() {
      copy.mappings[hop].entityMappings = model.entityMappings.enumerated().compactMap { place, mapping in
        guard !parts.contains(.mapping(hop: hop, place: place)) else { return nil }
        var mapping = mapping
        if parts.contains(.filter(hop: hop, mapping: place)) { mapping.filter = nil }
        if parts.contains(.policy(hop: hop, mapping: place)) { mapping.policyClassName = nil }
        mapping.propertyMappings = mapping.propertyMappings.enumerated().compactMap { index, property in
          parts.contains(.property(hop: hop, mapping: place, place: index)) ? nil : property
        }
        return mapping
      }
    }
    for case .object(let name) in parts { copy.omittedObjects.insert(name) }
    return copy
  }

  private static func objects(in context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.store.model.entities.filter { $0.superentityName == nil }
      .flatMap { try context.fetch(FetchRequest(entityName: $0.name)) }
  }

  /// The objects of the store.
  func objectNames() throws -> [String] {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try PersistentStore.create(at: folder.appending("case.sqlite"), model: models[0])
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    try populate(context)
    return try Self.objects(in: context).map(\.description)
  }
}

extension MigrationCase: CustomStringConvertible {
  var description: String {
    let objects = (try? objectNames().joined(separator: " ")) ?? "objects that cannot be made"
    return ([objects] + mappings.map { (try? MappingWriter.text(of: $0)) ?? "\($0)" }).joined(separator: "\n")
  }
}
