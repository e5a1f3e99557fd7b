import Heavylift

/// The typed objects of untyped ones that the engine passes to code of the user's.
///
/// The engine's context changes only from one store to the next, so one typed context is kept.
final class TypedObjects {
  private let schema: Schema
  private var current: ModelContext?

  init(_ schema: Schema) { self.schema = schema }

  func entity(for object: ManagedObject) throws -> Entity {
    if let current, current.managedObjectContext === object.context { return try current.entity(for: object) }
    guard let context = object.context else { preconditionFailure("object \(object) has no context") }
    let typed = try ModelContext(inStageOf: schema, context)
    current = typed
    return try typed.entity(for: object)
  }
}
