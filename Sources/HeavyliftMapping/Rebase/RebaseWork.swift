import HeavyliftExpression
import HeavyliftModel

/// Updates one mapping, entity mapping by entity mapping.
final class RebaseWork {
  /// An entity mapping with the old and new versions of its entities.
  struct Subject {
    var name: String
    var newName: String
    var source: ModelCorrespondence.Owner
    var destination: ModelCorrespondence.Owner
  }

  let mapping: MappingModel
  let sourceEdit: ModelEdit
  let destinationEdit: ModelEdit
  let source: ModelCorrespondence
  let destination: ModelCorrespondence
  private(set) var subjects: [Subject] = []
  private(set) var subjectsByName: [String: Int] = [:]
  private(set) var conflicts: [Diagnostic] = []
  /// The conflicts as values, in the same order as their diagnostics.
  private(set) var facts: [RebaseConflict] = []
  private(set) var notes: [Diagnostic] = []
  /// The expression being rewritten, in words, and its location; nil to report nothing.
  private var place: (subject: String, location: (SourceRange) -> DiagnosticLocation?)?
  /// Diagnostics found while rewriting an expression.
  private var found: [Diagnostic] = []

  /// - Parameters:
  ///   - followsIdentifiers: True to look up old names among the renaming identifiers, too.
  ///   - suggestsNames: True to suggest new names for removed ones.
  init(
    _ mapping: MappingModel, source: ModelEdit, destination: ModelEdit, followsIdentifiers: Bool = true,
    suggestsNames: Bool = true
  ) {
    self.mapping = mapping
    sourceEdit = source
    destinationEdit = destination
    self.source = ModelCorrespondence(
      .source, from: source.old, pinned: mapping.source, to: source.new, followsIdentifiers: followsIdentifiers,
      suggestsNames: suggestsNames)
    self.destination = ModelCorrespondence(
      .destination, from: destination.old, pinned: mapping.destination, to: destination.new,
      followsIdentifiers: followsIdentifiers, suggestsNames: suggestsNames)
  }

  /// Returns the mapping with the new names.
  func carriedNames() -> MappingModel {
    var result = mapping
    result.entityMappings = renamedSides()
    for place in result.entityMappings.indices { carry(&result.entityMappings[place], subjects[place]) }
    return result
  }

  func run() -> MappingModel {
    var result = carriedNames()
    RebaseCompletion(self).keepMeaning(of: &result)
    result.source = carried(mapping.source, sourceEdit)
    result.destination = carried(mapping.destination, destinationEdit)
    reportNewEntities(result)
    return result
  }

  func report(_ conflict: RebaseConflict, at location: DiagnosticLocation?) -> Diagnostic {
    let diagnostic = conflict.diagnostic(at: location)
    conflicts.append(diagnostic)
    facts.append(conflict)
    return diagnostic
  }

  // MARK: Entities

  /// Returns the entity mappings with the new entity names and the mapping names derived from them.
  private func renamedSides() -> [EntityMappingDescription] {
    var renamed = mapping.entityMappings
    for place in renamed.indices {
      renamed[place].sourceEntityName = renamed[place].sourceEntityName.map { successor($0, in: source) }
      renamed[place].destinationEntityName = renamed[place].destinationEntityName.map { successor($0, in: destination) }
    }
    // A derived name changes with the entities' names, unless another mapping already has the new one.
    var taken = Set(mapping.entityMappings.map(\.name))
    for (place, old) in mapping.entityMappings.enumerated() where renamed[place].name != old.name {
      if !taken.insert(renamed[place].name).inserted { renamed[place].givenName = old.name }
    }
    for (place, old) in mapping.entityMappings.enumerated() {
      subjects.append(
        Subject(
          name: old.name, newName: renamed[place].name, source: source.owner(old.sourceEntityName),
          destination: destination.owner(old.destinationEntityName)))
      if subjectsByName[old.name] == nil { subjectsByName[old.name] = place }
    }
    return renamed
  }

  /// Returns the entity's new name; a removed entity keeps its name.
  private func successor(_ name: String, in model: ModelCorrespondence) -> String {
    if case .found(let found) = model.entity(name) { found } else { name }
  }

  private func reportMissingEntity(
    _ name: String?, _ model: ModelCorrespondence, in entityMapping: inout EntityMappingDescription
  ) {
    guard let name, case .gone(let likely) = model.entity(name) else { return }
    let conflict = RebaseConflict.entityGone(mapping: entityMapping.name, side: model.side, name: name, likely: likely)
    entityMapping.markup.mark(report(conflict, at: entityMapping.markup.location(of: model.side.rawValue)))
  }

  /// Reports new entities that the mapping neither mentions nor copies implicitly.
  private func reportNewEntities(_ result: MappingModel) {
    let mappings = result.complete(from: sourceEdit.new, to: destinationEdit.new).entityMappings
    func record(_ model: ModelCorrespondence, named: [String?], _ problem: (String) -> String, _ remedy: String) {
      let known = Set(named)
      for name in model.newEntities where !known.contains(name) {
        notes.append(Diagnostic(.note, code: "rebase.new-entity", problem: problem(name.quotedName), remedy: remedy))
      }
    }
    record(
      source, named: mappings.map(\.sourceEntityName),
      { "entity \($0) is new in the source model, and no entity mapping covers it" },
      "write an entity mapping for it, with type=\"remove\" if its objects are to be deleted")
    record(
      destination, named: mappings.map(\.destinationEntityName),
      { "entity \($0) is new in the destination model, and no entity mapping creates its objects" },
      "write an entity mapping for it if it is to have objects")
  }

  // MARK: One entity mapping

  private func carry(_ entityMapping: inout EntityMappingDescription, _ subject: Subject) {
    reportMissingEntity(subjectsSource(entityMapping, subject), source, in: &entityMapping)
    reportMissingEntity(subjectsDestination(entityMapping, subject), destination, in: &entityMapping)
    let thing = "entity mapping \(entityMapping.name.quotedName)"
    if let filter = entityMapping.filter {
      let rewriting = ExpressionRewriting(self, object: .objects(.source, subject.source))
      entityMapping.filter = telling("the filter of \(thing)", "where", &entityMapping.markup) {
        rewriting.rewritten(filter)
      }
    }
    if let expression = entityMapping.sourceExpression {
      let rewriting = ExpressionRewriting(self, variables: ["manager": .migrationManager])
      entityMapping.sourceExpression = telling(
        "the source expression of \(thing)", "source-expression", &entityMapping.markup
      ) { rewriting.rewritten(expression) }
    }
    for place in entityMapping.propertyMappings.indices {
      carry(&entityMapping.propertyMappings[place], subject)
    }
    entityMapping.droppedProperties = entityMapping.droppedProperties.compactMap { carried($0, subject) }
  }

  /// Returns the drop under the property's new name; nil if there is nothing left to drop.
  private func carried(_ drop: DroppedProperty, _ subject: Subject) -> DroppedProperty? {
    // An element keeps its place in a composite.
    let keys = drop.name.split(separator: ".").map(String.init)
    switch source.property(keys.first ?? "", of: subject.source) {
    case .neverThere: return drop
    case .gone: return nil
    case .found(let succession):
      var carried = drop
      carried.name = ([succession.new.name] + keys.dropFirst()).joined(separator: ".")
      return carried
    }
  }

  private func subjectsSource(_ mapping: EntityMappingDescription, _ subject: Subject) -> String? {
    subject.source.new == nil ? mapping.sourceEntityName : nil
  }

  private func subjectsDestination(_ mapping: EntityMappingDescription, _ subject: Subject) -> String? {
    subject.destination.new == nil ? mapping.destinationEntityName : nil
  }

  // MARK: One property mapping

  private func carry(_ property: inout PropertyMappingDescription, _ subject: Subject) {
    let name = property.name
    let successor = destination.property(name, of: subject.destination)
    if case .found(let succession) = successor { property.name = succession.new.name }
    let thing = "\(property.kind.rawValue) \(property.name.quotedName) of entity mapping \(subject.newName.quotedName)"
    switch property.source {
    case .automatic, .unmapped: break
    case .expression(let expression):
      let value = telling("the value of \(thing)", "value", &property.markup) {
        rewriting(of: subject).rewritten(expression)
      }
      property.source = .expression(value)
    case .related(let objects, let through):
      let new = objects.map { objects in
        telling("the source of \(thing)", "from", &property.markup) { rewriting(of: subject).rewritten(objects) }
      }
      property.source = .related(from: new, through: through.map { entityMapping($0).name })
    }
    record(successor, of: name, in: &property, subject)
  }

  private func record(
    _ successor: Successor<PropertySuccession>, of name: String, in property: inout PropertyMappingDescription,
    _ subject: Subject
  ) {
    switch successor {
    case .neverThere: break
    case .gone(let likely):
      let (kind, mapping, entity) = (property.kind, subject.newName, subject.destination.new ?? "")
      let conflict: RebaseConflict =
        switch property.source {
        case .expression, .related:
          .propertyGone(kind, name: name, mapping: mapping, entity: entity, likely: likely)
        case .automatic, .unmapped:
          .mentionGone(
            kind, isCopied: property.source == .automatic, name: name, mapping: mapping, entity: entity, likely: likely)
        }
      property.markup.mark(report(conflict, at: property.markup.location(of: "name")))
    case .found(let succession):
      // A mapping without an expression fits any version of the property.
      switch property.source {
      case .automatic, .unmapped: return
      case .expression, .related: break
      }
      var conflict: RebaseConflict?
      if succession.differsByFingerprint {
        conflict = .propertyDiffers(name: property.name, mapping: subject.newName)
      } else if let shape = succession.old?.changedShape(to: succession.new) {
        conflict = .propertyChanged(name: property.name, mapping: subject.newName, old: shape.old, new: shape.new)
      }
      if let conflict { property.markup.mark(report(conflict, at: property.markup.location(of: "name"))) }
    }
  }

  /// Returns a rewriter for the values of an entity mapping's properties.
  func rewriting(of subject: Subject) -> ExpressionRewriting {
    ExpressionRewriting(
      self,
      variables: [
        "manager": .migrationManager, "source": .objects(.source, subject.source),
        "destination": .objects(.destination, subject.destination),
      ])
  }

  /// Runs a rewrite, and adds the conflicts that it finds to the markup as comments.
  private func telling<Result>(
    _ subject: String, _ attribute: String, _ markup: inout MappingMarkup, _ rewrite: () -> Result
  ) -> Result {
    let places = markup
    place = (subject, { places.location(of: attribute, scalarAt: $0.lowerBound) })
    defer { place = nil }
    let result = rewrite()
    for conflict in found { markup.mark(conflict) }
    found = []
    return result
  }

  private func record(_ conflict: (String) -> RebaseConflict, at range: SourceRange) {
    guard let place else { return }
    found.append(report(conflict(place.subject), at: place.location(range)))
  }

  // MARK: Models

  /// Returns the reference to the new model, with the same kinds of information as before.
  private func carried(_ reference: ModelReference, _ edit: ModelEdit) -> ModelReference {
    var carried = reference
    if reference.name != nil, let name = edit.new.name, name != edit.old?.name { carried.name = name }
    if reference.checksum != nil { carried.checksum = edit.new.versionChecksum }
    if !reference.fingerprints.isEmpty { carried.fingerprints = edit.new.fingerprints }
    return carried
  }
}

// MARK: - Names in expressions

extension RebaseWork: ExpressionNames {
  func key(_ name: String, of thing: NamedThing, at range: SourceRange) -> (name: String, thing: NamedThing) {
    switch thing {
    case .objects(let side, let owner): key(name, of: owner, side == .source ? source : destination, at: range)
    case .composite(let side, let old, let new):
      component(name, side == .source ? source : destination, old: old, new: new, at: range)
    default: (name, .unknown)
    }
  }

  private func key(
    _ name: String, of owner: ModelCorrespondence.Owner, _ model: ModelCorrespondence, at range: SourceRange
  ) -> (name: String, thing: NamedThing) {
    switch model.property(name, of: owner) {
    case .neverThere: return (name, name == "entity" ? .entity(model.side) : .unknown)
    case .gone(let likely):
      if name == "entity" { return (name, .entity(model.side)) }
      if NamedThing.standardKeys.contains(name) { return (name, .unknown) }
      record(
        { .keyGone(subject: $0, name: name, entity: owner.new ?? "", side: model.side, likely: likely) }, at: range)
      return (name, .unknown)
    case .found(let succession):
      let new = succession.new.name
      if let shape = succession.old?.changedShape(to: succession.new) {
        record(
          { .keyChanged(subject: $0, name: new, entity: owner.new ?? "", old: shape.old, new: shape.new) }, at: range)
      } else if succession.differsByFingerprint {
        record({ .keyDiffers(subject: $0, name: new, entity: owner.new ?? "") }, at: range)
      }
      return (new, thing(of: succession, model))
    }
  }

  private func thing(of succession: PropertySuccession, _ model: ModelCorrespondence) -> NamedThing {
    switch succession.new {
    case .relationship(let relationship):
      var owner = ModelCorrespondence.Owner(old: nil, new: relationship.destinationEntityName)
      if case .relationship(let old)? = succession.old { owner.old = old.destinationEntityName }
      return .objects(model.side, owner)
    case .attribute(let attribute) where attribute.type == .composite:
      var old: String?
      if case .attribute(let before)? = succession.old { old = before.compositeName }
      return .composite(model.side, old: old, new: attribute.compositeName)
    case .attribute, .fetched: return .unknown
    }
  }

  private func component(
    _ name: String, _ model: ModelCorrespondence, old: String?, new: String?, at range: SourceRange
  ) -> (name: String, thing: NamedThing) {
    guard let elements = new.flatMap({ model.new.model.composite(named: $0) })?.elements else {
      return (name, .unknown)
    }
    let before = old.flatMap { model.old?.model.composite(named: $0) }?.elements
    let match = RenamingMatch(before ?? elements, elements)
    guard let place = (before ?? elements).firstIndex(where: { $0.name == name }) else { return (name, .unknown) }
    guard let found = match.pairs.first(where: { $0.old == place })?.new else {
      record({ .keyGone(subject: $0, name: name, entity: new ?? "", side: model.side, likely: nil) }, at: range)
      return (name, .unknown)
    }
    let element = elements[found]
    guard element.type == .composite else { return (element.name, .unknown) }
    return (
      element.name, .composite(model.side, old: before?[place].compositeName, new: element.compositeName)
    )
  }

  func entity(_ name: String, of side: MappingSide, at range: SourceRange) -> (name: String, objects: NamedThing) {
    let model = side == .source ? source : destination
    switch model.entity(name) {
    case .found(let new): return (new, .objects(side, model.owner(name)))
    case .gone(let likely):
      record({ .namedEntityGone(subject: $0, name: name, side: side, likely: likely) }, at: range)
      return (name, .unknown)
    case .neverThere: return (name, .unknown)
    }
  }

  func entityMapping(_ name: String) -> (name: String, source: NamedThing, destination: NamedThing) {
    guard let place = subjectsByName[name] else { return (name, .unknown, .unknown) }
    let subject = subjects[place]
    return (subject.newName, .objects(.source, subject.source), .objects(.destination, subject.destination))
  }
}

extension NamedThing {
  /// The keys that every object has besides its properties.
  static let standardKeys: Set<String> = ["objectID", "entity", "managedObjectContext"]
}
