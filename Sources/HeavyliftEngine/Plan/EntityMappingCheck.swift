import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Evaluates the expressions of one entity mapping for source objects, and records those that fail.
final class EntityMappingCheck {
  private struct Attribute {
    var reference: FallibleExpression
    var description: AttributeDescription
    var compiled: CompiledExpression
    /// The rules for its results; nil if any result is valid, or if they are not checked.
    var rules: AttributeRules?
    /// The source attributes that the expression reads.
    var reads: [String]
  }

  private let keys: KeySet?
  private let filter: CompiledPredicate?
  private let filterReference: FallibleExpression
  private let filterReads: [String]
  private var filterContext: EvaluationContext
  private var context: EvaluationContext
  private let sourceSlot: Int
  private var attributes: [Attribute] = []
  private(set) var unchecked: [DataCheck.Unchecked] = []
  private(set) var findings: [DataCheck.Finding] = []
  private var places: [String: Int] = [:]

  var hasExpressions: Bool { !attributes.isEmpty || filter != nil && keys == nil }

  /// - Parameters:
  ///   - keys: The keys of the objects that the entity mapping takes, if they are known; otherwise its filter decides.
  ///   - skipsKept: True if rules that the old version has, too, are not checked for values that are copied.
  init(
    _ mappingIndex: Int, _ stores: MappedStores, keys: KeySet?, manager: MigrationManager, skipsKept: Bool
  ) throws {
    let mapping = stores.mappings[mappingIndex]
    let fallible = stores.fallibleExpressions(of: mapping)
    let shape = try mapping.sourceEntityName.map(stores.sourceStore.shape(ofEntity:))
    var registry = FunctionRegistry.builtIn
    try manager.register(in: &registry)
    var environment = EvaluationEnvironment(functions: registry)
    sourceSlot = environment.declare("source", shape: shape)
    environment.declare("manager")
    context = EvaluationContext(environment)
    context["manager"] = .object(manager)
    let filterEnvironment = EvaluationEnvironment(shape: shape)
    filterContext = EvaluationContext(filterEnvironment)
    let entity = stores.sourceModel.entity(named: mapping.sourceEntityName)
    let old = entity.map(stores.sourceModel.allAttributes(of:)) ?? []
    let names = Set(old.map(\.name))
    filterReference = FallibleExpression(
      entityMapping: mapping.name, entity: mapping.destinationEntityName, property: nil,
      expression: mapping.filter?.description ?? "")
    filterReads = mapping.filter?.keys.filter(names.contains).sorted() ?? []
    guard let reason = Self.obstacle(to: mapping) else {
      self.keys = keys
      filter = keys == nil ? try mapping.filter.map { try CompiledPredicate($0, in: filterEnvironment) } : nil
      try addAttributes(mapping, fallible, stores, environment, old, skipsKept)
      return
    }
    (self.keys, filter) = (nil, nil)
    unchecked = fallible.map { DataCheck.Unchecked(expression: $0, reason: reason) }
  }

  /// The reason why it is not known which expressions an entity mapping evaluates for which objects.
  private static func obstacle(to mapping: CompleteEntityMapping) -> String? {
    if let policy = mapping.policyClassName { return "policy '\(policy)' decides" }
    return mapping.description.sourceExpression == nil ? nil : "a source expression provides the objects"
  }

  private func addAttributes(
    _ mapping: CompleteEntityMapping, _ fallible: [FallibleExpression], _ stores: MappedStores,
    _ environment: EvaluationEnvironment, _ old: [AttributeDescription], _ skipsKept: Bool
  ) throws {
    guard let destination = mapping.destinationEntityName,
      let entity = stores.destinationModel.entity(named: destination)
    else { return }
    let names = Set(old.map(\.name))
    let descriptions = Dictionary(
      stores.destinationModel.allAttributes(of: entity).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for property in mapping.attributeMappings {
      guard let expression = property.valueExpression, let description = descriptions[property.name],
        !description.isRecomputed, description.type != .composite
      else { continue }
      let known = fallible.first { $0.property == property.name }
      var rules = AttributeRules(of: property.name, entity: destination, in: stores.destination)
      let copied = expression.sourceKey.map { key in old.first { $0.name == key } }
      let isKept = copied.map { rules?.restrictsCopies == false || skipsKept && stores.isAsLenient(description, $0) }
      let isUnruled = description.isTransient || isKept == true
      if isUnruled || rules?.acceptsEverything == true { rules = nil }
      if known == nil, rules == nil { continue }
      let reference =
        known
        ?? FallibleExpression(
          entityMapping: mapping.name, entity: destination, property: property.name,
          expression: expression.description)
      if let reason = expression.obstacleToChecking {
        unchecked.append(DataCheck.Unchecked(expression: reference, reason: reason))
        continue
      }
      attributes.append(
        Attribute(
          reference: reference, description: description,
          compiled: try CompiledExpression(expression, in: environment), rules: rules,
          reads: expression.sourceKeys.filter(names.contains).sorted()))
    }
    let others = fallible.filter { reference in
      mapping.relationshipMappings.contains { $0.name == reference.property }
    }
    unchecked += others.map { DataCheck.Unchecked(expression: $0, reason: "it needs the new objects") }
  }

  // MARK: Evaluating

  func evaluate(_ object: ManagedObject) throws {
    guard try takes(object) else { return }
    context[sourceSlot] = .object(object)
    defer { context[sourceSlot] = .null }
    for attribute in attributes {
      do {
        let value = try attribute.compiled.evaluate(in: &context)
        guard let held = Value(value)?.converted(to: attribute.description.type) else {
          throw attribute.description.cannotHold(value)
        }
        guard let rules = attribute.rules else { continue }
        for violation in rules.violations(by: held) {
          let result = DataCheck.NamedValue(name: attribute.description.name, value: held)
          add(
            attribute.reference, code: "migration.\(violation.code.rawValue)",
            "\(attribute.description.name.quotedName) \(violation.problem)", violation.remedy, object, [result])
        }
      } catch  where !error.isOfDiskOrCancellation {
        add(attribute.reference, error, object, attribute.reads)
      }
    }
  }

  private func takes(_ object: ManagedObject) throws -> Bool {
    if let keys { return keys.contains(object.primaryKey) }
    guard let filter else { return true }
    filterContext.object = .object(object)
    defer { filterContext.object = .null }
    do {
      return try filter.evaluate(in: &filterContext)
    } catch  where !error.isOfDiskOrCancellation {
      add(filterReference, error, object, filterReads)
      return false
    }
  }

  private func add(_ reference: FallibleExpression, _ error: any Error, _ object: ManagedObject, _ reads: [String]) {
    let code =
      switch error {
      case let error as ExpressionEvaluationError: error.mistake.code
      case let error as Diagnostic: error.code
      case let error as HopError: "migration.\(error.code.rawValue)"
      default: "migration.\(HopError.Code.migration.rawValue)"
      }
    let wrapped = HopError.wrapping(error, .migration, .init())
    let values = reads.compactMap { name in
      (try? object.value(forKey: name) as Value).map { DataCheck.NamedValue(name: name, value: $0) }
    }
    add(reference, code: code, wrapped.problem, wrapped.remedy, object, values)
  }

  private func add(
    _ reference: FallibleExpression, code: String, _ problem: String, _ remedy: String?, _ object: ManagedObject,
    _ values: [DataCheck.NamedValue]
  ) {
    let key = "\(reference.property ?? "") \(code)"
    let place = places[key] ?? findings.count
    if place == findings.count {
      places[key] = place
      findings.append(
        DataCheck.Finding(
          expression: reference, code: code, problem: problem, remedy: remedy, count: 0, examples: []))
    }
    findings[place].count += 1
    guard findings[place].examples.count < DataCheck.mostExamples else { return }
    findings[place].examples.append(DataCheck.Example(object: "\(object)", values: values))
  }
}

extension MappingExpression {
  /// The reason why the expression has a value only while the migration runs; nil if it needs nothing but the source
  /// object.
  fileprivate var obstacleToChecking: String? {
    var found: String?
    visit { expression in
      switch expression.kind {
      case .variable("destination"): found = found ?? "it reads the new object"
      case .variable(let name) where ["entityMapping", "entityPolicy", "propertyMapping"].contains(name):
        found = found ?? "it reads '$\(name)'"
      case .call(_, let selector, let arguments):
        if ManagerSelector.all.contains(selector) || arguments.contains(where: \.isManager) {
          found = found ?? "it needs the running migration"
        }
      case .otherFunction(_, let arguments):
        if arguments.contains(where: \.isManager) { found = found ?? "it needs the running migration" }
      case .keyPath(let base, _): if base.isManager { found = found ?? "it needs the running migration" }
      default: break
      }
    }
    return found
  }

  private var isManager: Bool { if case .variable("manager") = kind { true } else { false } }
}

extension MappingPredicate {
  /// The keys of the object that the predicate reads first.
  fileprivate var keys: Set<String> {
    var keys: Set<String> = []
    visit { expression in
      guard case .keyPath(let base, let path) = expression.kind, case .object = base.kind,
        case .name(let key)? = path.keys.first
      else { return }
      keys.insert(key)
    }
    return keys
  }
}
