import Heavylift

/// Checks that a stage deals with the changes between its versions.
struct PlanChanges {
  let old: PlannedVersion
  let new: PlannedVersion
  let stage: SchemaStage
  let title: String
  private let comparison: SchemaComparison
  private let difference: ModelDifference
  private var handlesResult: Bool { stage.handlers?.handlesResult == true }

  init(old: PlannedVersion, new: PlannedVersion, stage: SchemaStage, title: String) {
    (self.old, self.new, self.stage, self.title) = (old, new, stage, title)
    difference = ModelDifference(from: old.schema.model, to: new.schema.model)
    comparison = SchemaComparison(old: old.schema, new: new.schema, difference: difference)
  }

  var mistakes: [PlanMistake] {
    handlerMistakes + unknownRemovals + (handlesResult ? [] : possibleRenames + requiredAdditions + unreadableValues)
  }

  /// The questions that are no mistake, because the stage has code that can answer them.
  var warnings: [Diagnostic] {
    comparison.questions.compactMap { question in
      switch question.subject {
      case .removed(let name): handlesResult && !stage.removed.contains(name) ? question.diagnostic : nil
      case .repeated(let property, let type): handlesResult ? nil : repeated(property, of: type, question.diagnostic)
      }
    }
  }

  /// Returns the warning about a new attribute in the words of the plan, with the code that is missing.
  private func repeated(_ property: SchemaProperty, of type: EntityType, _ question: Diagnostic) -> Diagnostic {
    let value = ["UUID": "UUID()", "Date": "Date()"][property.simpleType.replacing("?", with: "")] ?? "…"
    let code =
      "for object in try context.fetch(\(type.scopedName).self) { object.\(property.swiftName) = \(value) }"
    var warning = question
    warning.problem =
      "attribute '\(property.swiftName)' of class '\(type.scopedName)' is new, and its initial value differs each time, "
      + "but \(title) gives all old objects the same value"
    warning.remedy =
      "set it for each object: \(stage.declaration(withCode: .didMigrate, code)); or make the attribute optional and "
      + "remove the initial value"
    return warning
  }

  // MARK: Code

  private var handlerMistakes: [PlanMistake] {
    (stage.handlers?.objects ?? []).flatMap { migration -> [PlanMistake] in
      let foreign = [(migration.old, old), (migration.new, new)].filter { $1.schema.entityName(of: $0) == nil }
      guard foreign.isEmpty, let name = new.schema.entityName(of: migration.new) else {
        return foreign.map { type, version in
          .foreignClass(
            TypeName.scoped(type), stage: title, version: version.name,
            known: version.schema.types.map(TypeName.scoped))
        }
      }
      let oldName = difference.entity(named: name).map(\.oldName) ?? name
      guard let type = old.schema.entities.first(where: { $0.name == oldName })?.type else {
        return [.newClass(TypeName.scoped(migration.new), stage: title, version: old.name)]
      }
      guard type.isKind(of: migration.old) else {
        return [
          .unrelatedClasses(
            TypeName.scoped(migration.old), TypeName.scoped(migration.new), stage: title, counterpart: type.scopedName)
        ]
      }
      return []
    }
  }

  // MARK: Changes that need code

  private var possibleRenames: [PlanMistake] {
    comparison.questions.compactMap { question in
      guard let removed = question.removed, !stage.removed.contains(removed) else { return nil }
      return .renamed(question.diagnostic, removed: removed, stage: title)
    }
  }

  private var unknownRemovals: [PlanMistake] {
    var gone = difference.entities.flatMap { entity -> [String] in
      guard let oldName = entity.oldName else { return [] }
      guard entity.newName != nil else { return [oldName] }
      return entity.properties.filter { $0.newName == nil }.map { "\(oldName).\($0.name)" }
    }
    for name in comparison.questions.compactMap(\.removed) where !gone.contains(name) { gone.append(name) }
    return stage.removed.filter { !gone.contains($0) }.map { .unknownRemoval($0, stage: title, known: gone) }
  }

  private var requiredAdditions: [PlanMistake] {
    difference.entities.flatMap { entity -> [PlanMistake] in
      guard entity.oldName != nil, let newName = entity.newName,
        let described = new.schema.model.entity(named: newName),
        let type = new.schema.entities.first(where: { $0.name == newName })
      else { return [] }
      return entity.properties.compactMap { property in
        guard property.oldName == nil, let attribute = described.attribute(named: property.name),
          !attribute.isOptional, !attribute.isTransient, !attribute.isDerived, attribute.defaultValue.isNull,
          let declared = type.properties.first(where: { $0.name == property.name })
        else { return nil }
        return .requiredAddition(
          declared.swiftName, className: type.type.scopedName, type: declared.simpleType,
          hasInitialValue: declared.freshValue != nil, stage: title,
          code: stage.declaration(withCode: .didMigrate))
      }
    }
  }

  /// Attributes whose bytes stay as they are, but whose Swift type cannot be decoded from them.
  private var unreadableValues: [PlanMistake] {
    comparison.unreadableValues.map {
      .unreadableValues($0, stage: title, code: stage.declaration(withCode: .migrate))
    }
  }
}

extension SchemaProperty {
  /// The declared type without the elements of a structure.
  fileprivate var simpleType: String { String(typeText.prefix { $0 != "(" }) }
}
