import HeavyliftExpression
import HeavyliftModel
import HeavyliftStore

/// Fills in the derived attributes that no trigger of the store maintains. Core Data computes these when it saves an
/// object.
///
/// In a new store, triggers have counted as the rows were written, so counts are already correct. A time of saving (`now()`) cannot be computed again: the
/// mappings carry it over, and objects without one get the time of the migration.
package struct DerivedValues {
  private let context: ManagedObjectContext
  private let model: ManagedObjectModel
  private let includesCounts: Bool
  private var notes: [Diagnostic] = []

  private init(_ context: ManagedObjectContext, _ model: ManagedObjectModel, includesCounts: Bool) {
    self.context = context
    self.model = model
    self.includesCounts = includesCounts
  }

  /// Computes and writes the attributes.
  ///
  /// - Parameters:
  ///   - setsTimes: False to leave times of saving as they are, even if they are nil.
  ///   - includesCounts: True to compute counts that triggers maintain, too: those of a store that another program has
  ///     written may be wrong.
  /// - Returns: Warnings about attributes that could not be derived, and notes about those that are the time of the
  ///   migration.
  @discardableResult
  package static func fill(
    _ context: ManagedObjectContext, _ model: ManagedObjectModel, setsTimes: Bool = true, includesCounts: Bool = false
  ) throws -> [Diagnostic] {
    var derived = DerivedValues(context, model, includesCounts: includesCounts)
    try derived.fill(setsTimes: setsTimes)
    return derived.notes
  }

  private mutating func fill(setsTimes: Bool) throws {
    for layout in context.store.layout.entities {
      guard let entity = model.entity(named: layout.name), !entity.isAbstract else { continue }
      let derived = model.lineage(of: entity).flatMap { declaring in
        declaring.attributes.filter { $0.isDerived && (includesCounts || !hasTrigger($0, of: declaring)) }
      }
      for attribute in derived where !attribute.isTimeOfSave { try fill(attribute, of: entity) }
      guard setsTimes else { continue }
      for attribute in derived where attribute.isTimeOfSave { try setTime(attribute, of: entity) }
    }
  }

  private func hasTrigger(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    context.store.layout.triggers.contains { $0.entityName == entity.name && $0.attributeName == attribute.name }
  }

  private mutating func fill(_ attribute: AttributeDescription, of entity: EntityDescription) throws {
    guard let derivation = attribute.derivationExpression else { return }
    let environment = EvaluationEnvironment(shape: try context.store.shape(ofEntity: entity.name))
    guard let expression = try? CompiledExpression(MappingExpression(parsing: derivation), in: environment) else {
      return note(attribute, entity, "cannot be derived: its derivation expression is not supported")
    }
    var evaluation = EvaluationContext(environment)
    var request = FetchRequest(entityName: entity.name)
    request.includesSubentities = false
    var failures = 0
    try context.enumerate(request) { object in
      evaluation.object = .object(object)
      defer { evaluation.object = .null }
      guard let held = try value(of: expression, in: &evaluation, attribute) else {
        failures += 1
        return
      }
      guard try !object.value(forKey: attribute.name).isIdentical(to: held) else { return }
      try context.writeDerived(held, forKey: attribute.name, of: object)
    }
    if failures > 0 {
      note(attribute, entity, "could not be derived for \(failures.counted(as: "object")), and is nil there")
    }
  }

  /// Returns nil if the value cannot be derived from the object.
  private func value(
    of expression: CompiledExpression, in evaluation: inout EvaluationContext, _ attribute: AttributeDescription
  ) throws -> Value? {
    do {
      return Value(try expression.evaluate(in: &evaluation))?.converted(to: attribute.type)
    } catch  where !error.isOfDiskOrCancellation {
      return nil
    }
  }

  private mutating func setTime(_ attribute: AttributeDescription, of entity: EntityDescription) throws {
    guard let derivation = attribute.derivationExpression else { return }
    let environment = EvaluationEnvironment(shape: try context.store.shape(ofEntity: entity.name))
    var evaluation = EvaluationContext(environment)
    guard let expression = try? CompiledExpression(MappingExpression(parsing: derivation), in: environment),
      let held = try value(of: expression, in: &evaluation, attribute)
    else {
      return note(attribute, entity, "cannot be derived: its derivation expression is not supported")
    }
    let count = try context.writeDerived(held, whereNil: attribute.name, ofEntity: entity.name)
    guard count > 0 else { return }
    notes.append(
      Diagnostic(
        .note, code: "migration.time-of-migration",
        problem: "attribute '\(attribute.name)' of entity '\(entity.name)' is the time of the migration in "
          + "\(count.counted(as: "object")) without an old value",
        location: attribute.markup.location))
  }

  private mutating func note(_ attribute: AttributeDescription, _ entity: EntityDescription, _ problem: String) {
    notes.append(
      Diagnostic(
        .warning, code: "migration.not-derived",
        problem: "attribute '\(attribute.name)' of entity '\(entity.name)' \(problem)",
        remedy: "it gets its value the next time the object is saved", location: attribute.markup.location))
  }
}
