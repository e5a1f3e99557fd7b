import HeavyliftExpression
import HeavyliftModel

/// Compares the old and new effect of a mapping, and writes out values that copying by name no longer yields.
struct RebaseCompletion {
  private let work: RebaseWork

  init(_ work: RebaseWork) { self.work = work }

  func keepMeaning(of mapping: inout MappingModel) {
    if let oldSource = work.sourceEdit.old, let oldDestination = work.destinationEdit.old {
      let before = work.mapping.complete(from: oldSource, to: oldDestination)
      let after = complete(mapping)
      for place in work.subjects.indices {
        compare(
          before.entityMappings[place], after.entityMappings[place], in: &mapping.entityMappings[place],
          work.subjects[place])
      }
      reportMissingValues(before, complete(mapping), in: &mapping)
    } else {
      reportMissingValues(nil, complete(mapping), in: &mapping)
    }
  }

  private func complete(_ mapping: MappingModel) -> CompleteMappingModel {
    mapping.complete(from: work.sourceEdit.new, to: work.destinationEdit.new)
  }

  // MARK: Copied values

  private func compare(
    _ before: CompleteEntityMapping, _ after: CompleteEntityMapping, in mapping: inout EntityMappingDescription,
    _ subject: RebaseWork.Subject
  ) {
    let successions = work.destination.properties(of: subject.destination)
    let rewriting = work.rewriting(of: subject)
    for old in before.attributeMappings + before.relationshipMappings {
      guard let succession = successions[old.name], let new = after.propertyMapping(named: succession.new.name),
        new.kind == old.kind
      else { continue }
      let meant = old.valueExpression.map { rewriting.rewritten($0) }
      if meant == new.valueExpression { continue }
      switch old.origin {
      case .copied(let from), .rebuilt(let from, _):
        keep(old, from: from, meant: meant, new, in: &mapping, subject, rewriting)
      case .unmapped: keepUnmapped(old, new, in: &mapping, subject)
      case .written: continue
      }
    }
  }

  /// Makes sure that the value is still copied from the same source property.
  private func keep(
    _ old: CompletePropertyMapping, from name: String, meant: MappingExpression?, _ new: CompletePropertyMapping,
    in mapping: inout EntityMappingDescription, _ subject: RebaseWork.Subject, _ rewriting: ExpressionRewriting
  ) {
    switch work.source.property(name, of: subject.source) {
    case .neverThere: return
    case .gone:
      // The copied property no longer exists, and a property that now matches by name is no substitute for it.
      guard let now = new.origin.sourcePropertyName else { return }
      let conflict = RebaseConflict.otherCopy(name: new.name, mapping: mapping.name, from: name, now: now)
      write(new, .expression(.source(key: name)), in: &mapping, conflict)
    case .found(let succession):
      let source = succession.new.name
      if new.origin.sourcePropertyName == source { return }
      let value = written(old, meant: meant, from: source, in: subject)
      guard case .unmapped(let reason) = new.origin, reason.isMisfit else {
        return write(new, value, in: &mapping, nil)
      }
      let shape = succession.old?.changedShape(to: succession.new) ?? destinationShape(of: old, subject)
      let conflict = RebaseConflict.copyChanged(
        name: new.name, mapping: mapping.name, from: source, old: shape?.old ?? "compatible",
        new: shape?.new ?? "incompatible")
      write(new, value, in: &mapping, conflict)
    }
  }

  private func written(
    _ old: CompletePropertyMapping, meant: MappingExpression?, from source: String, in subject: RebaseWork.Subject
  ) -> PropertyMappingDescription.Source {
    if case .rebuilt(_, let mappings) = old.origin, let only = mappings.first, mappings.count == 1 {
      return .related(from: .source(key: source), through: work.entityMapping(only).name)
    }
    return .expression(meant ?? .source(key: source))
  }

  private func destinationShape(
    of property: CompletePropertyMapping, _ subject: RebaseWork.Subject
  ) -> (old: String, new: String)? {
    let succession = work.destination.properties(of: subject.destination)[property.name]
    return succession.flatMap { $0.old?.changedShape(to: $0.new) }
  }

  /// Keeps a property unmapped if it would now be copied only because two names have become equal.
  private func keepUnmapped(
    _ old: CompletePropertyMapping, _ new: CompletePropertyMapping, in mapping: inout EntityMappingDescription,
    _ subject: RebaseWork.Subject
  ) {
    guard let name = new.origin.sourcePropertyName else { return }
    let origin = work.source.properties(of: subject.source).first { $0.value.new.name == name }
    // A property that is new in the source may be meant to be copied.
    guard let origin else { return }
    if origin.key != name || old.name != new.name { write(new, .unmapped, in: &mapping, nil) }
  }

  private func write(
    _ property: CompletePropertyMapping, _ source: PropertyMappingDescription.Source,
    in mapping: inout EntityMappingDescription, _ conflict: RebaseConflict?
  ) {
    let place =
      mapping.propertyMappings.firstIndex { $0.name == property.name && $0.kind == property.kind }
      ?? mapping.propertyMappings.endIndex
    if place == mapping.propertyMappings.endIndex {
      mapping.propertyMappings.append(PropertyMappingDescription(property.kind, name: property.name))
    }
    mapping.propertyMappings[place].source = source
    guard let conflict else { return }
    let location = mapping.propertyMappings[place].markup.location ?? mapping.markup.location
    mapping.propertyMappings[place].markup.mark(work.report(conflict, at: location))
  }

  // MARK: Properties without a value

  private func reportMissingValues(
    _ before: CompleteMappingModel?, _ after: CompleteMappingModel, in mapping: inout MappingModel
  ) {
    for (place, complete) in after.entityMappings.enumerated()
    where complete.origin == .written && isFilling(complete) {
      let subject = work.subjects[place]
      guard let number = work.destination.new.entity(named: subject.destination.new) else { continue }
      let lost = before.map { lackingBefore($0.entityMappings[place], subject) }
      for property in work.destination.new.properties(of: number) where isLacking(property, complete, after) {
        // If it is unknown whether the property is new, the check will report the missing value.
        guard let isNew = work.destination.isNew(property.name, of: subject.destination) else { continue }
        if !isNew, lost?.contains(property.name) ?? true { continue }
        let kind: PropertyMappingDescription.Kind = if case .attribute = property { .attribute } else { .relationship }
        let conflict = RebaseConflict.mandatory(
          kind, name: property.name, mapping: complete.name, isNew: isNew)
        record(conflict, kind, property.name, in: &mapping.entityMappings[place])
      }
    }
  }

  /// Returns true if the mapping has source objects and no policy.
  private func isFilling(_ mapping: CompleteEntityMapping) -> Bool {
    mapping.policyClassName == nil && mapping.sourceEntityName != nil
  }

  /// Returns the mandatory properties that had no value before, by their new names.
  private func lackingBefore(_ mapping: CompleteEntityMapping, _ subject: RebaseWork.Subject) -> Set<String> {
    Set(
      work.destination.properties(of: subject.destination).compactMap { name, succession in
        guard let old = succession.old, old.needsValue, mapping.propertyMapping(named: name)?.valueExpression == nil
        else { return nil }
        return succession.new.name
      })
  }

  private func isLacking(
    _ property: PropertyReference, _ mapping: CompleteEntityMapping, _ model: CompleteMappingModel
  ) -> Bool {
    guard property.needsValue, mapping.propertyMapping(named: property.name)?.valueExpression == nil else {
      return false
    }
    guard case .relationship(let relationship) = property, let inverse = relationship.inverseName else { return true }
    // The inverse may fill the relationship.
    let index = work.destination.new
    guard let other = index.entity(named: relationship.destinationEntityName) else { return true }
    return !model.entityMappings.contains { mapping in
      guard let entity = index.entity(named: mapping.destinationEntityName), index.isKind(entity, of: other) else {
        return false
      }
      return mapping.relationshipMappings.contains { $0.name == inverse && $0.valueExpression != nil }
    }
  }

  private func record(
    _ conflict: RebaseConflict, _ kind: PropertyMappingDescription.Kind, _ name: String,
    in mapping: inout EntityMappingDescription
  ) {
    if let place = mapping.propertyMappings.firstIndex(where: { $0.name == name && $0.kind == kind }) {
      let location = mapping.propertyMappings[place].markup.location
      mapping.propertyMappings[place].markup.mark(work.report(conflict, at: location))
    } else {
      var property = PropertyMappingDescription(kind, name: name)
      property.markup.mark(work.report(conflict, at: mapping.markup.location))
      mapping.propertyMappings.append(property)
    }
  }
}

extension UnmappedReason {
  /// True if a source property has a matching name but does not fit.
  fileprivate var isMisfit: Bool {
    switch self {
    case .otherKind, .incompatible, .manyIntoOne: true
    default: false
    }
  }
}

extension PropertyReference {
  /// True if an object cannot be saved without a value for the property.
  fileprivate var needsValue: Bool {
    switch self {
    case .attribute(let attribute):
      !attribute.isOptional && attribute.defaultValue.isNull && !attribute.isTransient && !attribute.isDerived
        && attribute.type != .composite
    case .relationship(let relationship): relationship.requiresTarget && !relationship.isTransient
    case .fetched: false
    }
  }
}
