import Heavylift

/// Code of a stage that is called for each object of a class, with the object before and after the structure changed.
///
/// ```swift
/// ObjectMigration { (old: MusicV1.Track, new: MusicV2.Track) in new.seconds = old.minutes * 60 }
/// ```
public struct ObjectMigration: Sendable {
  let old: Entity.Type
  let new: Entity.Type
  let body: @Sendable (Entity, Entity) throws -> Void

  /// Creates the code for the objects of a class and its subclasses.
  ///
  /// - Parameter body: Is called with an object of the older version, which is read-only, and its counterpart in the
  ///   newer version.
  public init<Old: Entity, New: Entity>(
    _ body: @escaping @Sendable (_ old: Old, _ new: New) throws -> Void
  ) {
    (old, new) = (Old.self, New.self)
    self.body = { old, new in
      guard let source = old as? Old else { throw Self.foreign(old, Old.self) }
      guard let destination = new as? New else { throw Self.foreign(new, New.self) }
      try body(source, destination)
    }
  }

  /// The objects of a class include those of its subclasses, which can have been objects of another class.
  private static func foreign(_ object: Entity, _ wanted: Entity.Type) -> Diagnostic {
    Diagnostic(
      .error, code: "plan.other-class",
      problem: "object \(object) is a '\(TypeName.scoped(type(of: object)))', but the stage's closure takes a "
        + "'\(TypeName.scoped(wanted))'",
      remedy: "take a superclass of both, or write a closure for each class")
  }
}
