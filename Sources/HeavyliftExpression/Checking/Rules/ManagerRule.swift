import HeavyliftModel

extension ExpressionInspector {
  /// The standard selectors of the migration manager.
  static let managerSelectors: Set<String> = [
    "destinationInstancesForEntityMappingNamed:sourceInstances:",
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
    "sourceInstancesForEntityMappingNamed:destinationInstances:",
    "fetchRequestForSourceEntityNamed:predicateString:",
  ]

  /// Checks a function of `$manager`; its first argument must name an existing mapping, relationship or entity.
  mutating func callManager(_ call: Call) -> ExpressionFacts {
    switch call.selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      checkInstances(call, of: .source)
      let mapping = mapping(call)
      checkSource(call, mapping?.source)
      return instances(of: mapping?.destination, .destination)
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      checkInstances(call, of: .destination)
      return instances(of: mapping(call)?.source, .source)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      checkInstances(call, of: .source)
      checkRelationship(call)
      return instances(of: nil, .destination)
    case "fetchRequestForSourceEntityNamed:predicateString:": return fetchRequest(call)
    default:
      return callObject(call, known: environment.managerFunctions, others: Self.managerSelectors)
    }
  }

  private func instances(of entity: String?, _ side: ExpressionType.ModelSide) -> ExpressionFacts {
    ExpressionFacts(.collection(.array, of: entity.map { .object(entity: $0, side) } ?? .any))
  }

  private mutating func mapping(_ call: Call) -> CheckingEnvironment.EntityMappingSides? {
    guard let name = checkedName(call), let mappings = environment.entityMappings else { return nil }
    guard let mapping = mappings[name] else {
      report(.unknownEntityMapping(name, known: environment.entityMappingNames), at: call.expressions[0].range)
      return nil
    }
    return mapping
  }

  private mutating func checkedName(_ call: Call) -> String? {
    if let name = call.text(ofArgument: 0) { return name }
    let kind = call.facts[0].kind
    if kind != .any, kind != .string {
      report(.argument(1, of: call.selector, expected: .string, found: kind), at: call.expressions[0].range)
    }
    return nil
  }

  /// Checks the second argument: an object of the given side, several such objects, or nil.
  private mutating func checkInstances(_ call: Call, of side: ExpressionType.ModelSide) {
    let kind = call.facts[1].kind
    switch kind.element ?? kind {
    case .any, .null: break
    case .object(_, side): break
    default:
      report(
        EvaluationMistake.wrongArgument(
          2, of: call.selector, expected: "\(side) objects", found: "\(kind)"), at: call.expressions[1].range)
    }
  }

  /// Reports objects that the named mapping does not map: they have no counterparts, unless a policy associates some.
  private mutating func checkSource(_ call: Call, _ mapped: String?) {
    let kind = call.facts[1].kind
    guard let mapped, case .object(let found, .source) = kind.element ?? kind, let model = environment.model(.source),
      model.hasEntity(mapped), model.hasEntity(found), !model.areRelated(mapped, found),
      let mapping = call.text(ofArgument: 0)
    else { return }
    report(.unmappedSource(mapping: mapping, of: mapped, found: found), at: call.expressions[1].range)
  }

  private mutating func checkRelationship(_ call: Call) {
    guard let name = checkedName(call), let entity = environment.sourceEntity, let model = environment.model(.source),
      model.hasEntity(entity), model.isComplete(entity)
    else { return }
    let property = model.property(name, of: entity)
    if case .relationship? = property { return }
    let known = model.propertyNames(of: entity).filter {
      if case .relationship? = model.property($0, of: entity) { true } else { false }
    }
    report(
      .notARelationship(name, entity: entity, isAttribute: property != nil, known: known),
      at: call.expressions[0].range)
  }

  /// The second argument is the text of a predicate on objects of the entity that the first one names.
  private mutating func fetchRequest(_ call: Call) -> ExpressionFacts {
    guard let entity = checkedName(call) else { return ExpressionFacts(.fetchRequest(entity: nil)) }
    if let model = environment.model(.source), !model.hasEntity(entity) {
      report(.unknownEntity(entity, known: model.entityNames), at: call.expressions[0].range)
      return ExpressionFacts(.fetchRequest(entity: nil))
    }
    if let text = call.text(ofArgument: 1) {
      check(predicate: text, over: entity, at: call.expressions[1].range)
    } else if call.facts[1].kind != .any, call.facts[1].kind != .string {
      report(
        .argument(2, of: call.selector, expected: .string, found: call.facts[1].kind), at: call.expressions[1].range)
    }
    return ExpressionFacts(.fetchRequest(entity: entity))
  }

  private mutating func check(predicate text: String, over entity: String, at range: SourceRange) {
    // Each level is a string within a string; this many levels do not occur in practice.
    guard nesting < 4 else { return }
    // Without escapes, an offset in the literal is the offset in the string plus one, for the opening quote.
    let isPlain = range.upperBound - range.lowerBound == text.unicodeScalars.count + 2
    func place(_ inner: SourceRange) -> SourceRange {
      let start = range.lowerBound + 1
      return isPlain ? SourceRange(start + inner.lowerBound, start + inner.upperBound) : range
    }
    do {
      let predicate = try MappingPredicate(parsing: text)
      var surroundings = environment
      surroundings.enter(.sourceFilter, source: entity, destination: nil)
      surroundings.sourceFilter = nil
      var inner = ExpressionInspector(surroundings)
      inner.nesting = nesting + 1
      inner.inspect(predicate)
      adopt(inner.sortedFindings, relocating: place)
    } catch {
      for mistake in error.mistakes {
        report(
          .nested(
            code: mistake.code, problem: "in the text of the predicate: \(mistake.problem)", remedy: mistake.remedy),
          at: place(mistake.range))
      }
    }
  }
}
