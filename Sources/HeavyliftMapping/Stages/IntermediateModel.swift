import HeavyliftModel

/// The model between two versions, in which the script of a custom migration stage runs.
///
/// A store often cannot go from one version to the next in one step: a new mandatory attribute has no values yet, or an
/// attribute has another type. The intermediate model accepts the objects of both versions. A stage migrates the store
/// to the intermediate model, runs its script, and migrates the result to the destination version, which checks every
/// rule of that version.
///
/// ```swift
/// let intermediate = try IntermediateModel(from: music1, to: music2)
/// for change in intermediate.changes where change.needsScript { print(change) }
/// ```
///
/// Everything in the destination version has the same name, type and place in the intermediate model, but its rules are
/// relaxed: what a store of the source version may lack is optional, and values and numbers of targets that the source
/// version allows are allowed. Everything that only the source version has is kept, under its own name if that is free,
/// and otherwise under the name that `renameOld(_:)` returns.
package struct IntermediateModel: Hashable, Sendable {
  /// The source version.
  package let source: ManagedObjectModel
  /// The destination version.
  package let destination: ManagedObjectModel
  /// The intermediate model; equal to the destination version if the stage has only one step.
  package let model: ManagedObjectModel
  /// The mapping from the source version to the intermediate model.
  package let expansion: MappingModel
  /// The mapping from the intermediate model to the destination version; nil if they are equal.
  package let contraction: MappingModel?
  /// The differences between the versions, sorted by entity and property.
  package let changes: [IntermediateChange]
  /// The entities of the intermediate model that must have no objects when the script has run, sorted by name. The
  /// contraction would remove their objects.
  package let vacatedEntities: [String]
  /// The names of source entities in the intermediate model.
  private let entityNames: [String: String]
  /// The names of source properties in the intermediate model, by source entity.
  private let propertyNames: [String: [String: String]]

  /// Derives the intermediate model.
  ///
  /// - Throws: Everything that no intermediate model can bridge, with remedies, or the errors in the two models.
  package init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) {
    let (old, new) = (ModelIndex(source), ModelIndex(destination))
    let flaws = (old.check() + new.check()).filter { $0.severity == .error }
    guard flaws.isEmpty else { throw DiagnosticList(flaws) }
    let builder = IntermediateBuilder(from: old, to: new)
    guard builder.mistakes.isEmpty else { throw DiagnosticList(builder.mistakes) }
    let isNeeded = builder.model != destination
    var model = isNeeded ? builder.model : destination
    if isNeeded { model.name = Self.name(source, destination) }
    let mappings = IntermediateMappings(builder, model)
    (self.source, self.destination, self.model) = (source, destination, model)
    expansion = mappings.expansion
    contraction = isNeeded ? mappings.contraction : nil
    changes = builder.changes.sorted { ($0.entity, $0.property ?? "") < ($1.entity, $1.property ?? "") }
    let entities = builder.counterparts.entities
    vacatedEntities = entities.entities.filter { entity in
      guard let old = entity.old, let new = entity.new else { return false }
      return !source.entities[old].isAbstract && destination.entities[new].isAbstract
    }.map(\.name).sorted()
    var entityNames: [String: String] = [:]
    var propertyNames: [String: [String: String]] = [:]
    for (number, entity) in source.entities.enumerated() {
      entityNames[entity.name] = entities.entities[entities.counterparts[number]].name
      var names = builder.kept.names[number]
      for (name, counterpart) in builder.counterparts.bySource[number] where counterpart.treatment == .copied {
        names[counterpart.old.name] = name
      }
      propertyNames[entity.name] = names
    }
    (self.entityNames, self.propertyNames) = (entityNames, propertyNames)
  }

  private static func name(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> String? {
    guard let old = source.name, let new = destination.name else { return nil }
    return "\(old) → \(new), intermediate"
  }

  /// A Boolean value that indicates whether the intermediate model differs from the destination version.
  package var isNeeded: Bool { contraction != nil }

  /// A Boolean value that indicates whether a script has to change objects.
  package var needsScript: Bool { changes.contains(where: \.needsScript) }

  // MARK: Conversions

  /// An optional property whose old values only a script can convert. The contraction drops them.
  package struct Conversion: Hashable, Sendable {
    /// The entity that declares the property.
    package var entity: String
    package var property: String
    /// The name of the property with the old values.
    package var old: String
  }

  /// The optional properties whose old values only a script can convert, sorted by entity and property.
  package var conversions: [Conversion] {
    changes.compactMap { change in
      guard let property = change.property, let entity = destination.entity(named: change.entity) else { return nil }
      switch change.kind {
      case .type(_, _, let old), .replaced(.kind, let old), .replaced(.destination, let old),
        .replaced(.inverse, let old):
        // The contraction reports mandatory properties without a value.
        if let attribute = entity.attribute(named: property), !destination.mayBeNil(attribute) { return nil }
        if let relationship = entity.relationship(named: property), relationship.requiresTarget { return nil }
        return Conversion(entity: change.entity, property: property, old: old)
      default: return nil
      }
    }
  }

  // MARK: Names

  /// Returns the name under which the intermediate model keeps a property or an entity of the source version if the
  /// destination version uses its name for something else, such as an attribute of another type: `old_added`.
  package static func renameOld(_ name: String) -> String { "old_\(name)" }

  /// Returns the name of a relationship that neither version has, and that lets several objects share a target.
  static func inverseName(of relationship: String, in entity: String) -> String { "inverse_\(entity)_\(relationship)" }

  /// Returns the name of an entity of the source version in the intermediate model.
  package func name(ofSourceEntity entity: String) -> String? { entityNames[entity] }

  /// Returns the name of a property of the source version in the intermediate model; nil if no store has its values.
  package func name(ofSourceProperty property: String, in entity: String) -> String? {
    propertyNames[entity]?[property]
  }
}
