import Heavylift
import HeavyliftConcurrency

/// The typed objects of untyped ones that the engine passes to code of the user's.
///
/// The engine's context changes only from one store to the next, so one typed context is kept.
final class TypedObjects: Sendable {
  private let schema: Schema
  private let last = Locked<ModelContext?>(nil)

  init(_ schema: Schema) { self.schema = schema }

  func entity(for object: ManagedObject) throws -> Entity {
    try last.withLock { last in
      if let last, last.managedObjectContext === object.context { return try last.entity(for: object) }
      guard let context = object.context else {
        throw Diagnostic(
          .error, code: "stage.no-context", problem: "object \(object) has no context any more",
          remedy: "use objects only in the handler that gets them")
      }
      let typed = try ModelContext(inStageOf: schema, context)
      last = typed
      return try typed.entity(for: object)
    }
  }
}
