import HeavyliftModel

extension ExpressionInspector {
  /// `FUNCTION(receiver, "selector:", arguments…)`: only known functions can be called.
  mutating func inspectCall(
    _ receiver: MappingExpression, _ selector: String, _ arguments: [MappingExpression], at range: SourceRange
  ) -> ExpressionFacts {
    let target = inspect(receiver)
    let facts = arguments.map { inspect($0) }
    let count = FunctionRegistry.argumentCount(of: selector)
    if count != arguments.count {
      report(EvaluationMistake.wrongArgumentCount(selector, expected: count, found: arguments.count), at: range)
      return .unknown
    }
    let call = Call(
      receiver: receiver, target: target, selector: selector, expressions: arguments, facts: facts, range: range)
    if selector == "valueForKey:" || selector == "valueForKeyPath:" { return valueForKey(call) }
    switch target.kind {
    case .any: return .unknown
    case .null:
      report(.alwaysNil(of: "FUNCTION"), at: receiver.range)
      return .unknown
    case _ where call.expressions.isEmpty && isKey(selector, of: target.kind):
      return key(selector, of: target, at: range)
    case .migrationManager: return callManager(call)
    case .entityPolicy:
      return callObject(call, known: environment.policyFunctions)
    case .object, .entityMapping, .propertyMapping, .objectContext, .objectID, .entityDescription, .fetchRequest:
      return callObject(call, known: [:])
    default: return callValue(call)
    }
  }

  /// Returns true if a call without arguments reads a key of an object of this kind.
  private func isKey(_ name: String, of kind: ExpressionType.Kind) -> Bool {
    switch kind {
    case .object(let entity, let side):
      Self.objectKeys[name] != nil || environment.model(side)?.property(name, of: entity) != nil
    case .migrationManager, .entityMapping, .propertyMapping, .objectID, .entityDescription:
      Self.keys(of: kind)?[name] != nil
    default: false
    }
  }

  /// A call with the facts about its parts.
  struct Call {
    var receiver: MappingExpression
    var target: ExpressionFacts
    var selector: String
    var expressions: [MappingExpression]
    var facts: [ExpressionFacts]
    var range: SourceRange

    func text(ofArgument place: Int) -> String? {
      if case .string(let text)? = facts[place].constant { text } else { nil }
    }
  }

  /// `valueForKey:` and `valueForKeyPath:`, which every receiver supports.
  private mutating func valueForKey(_ call: Call) -> ExpressionFacts {
    let place = call.expressions[0].range
    guard let text = call.text(ofArgument: 0) else {
      if call.facts[0].kind != .any, call.facts[0].kind != .string {
        report(.argument(1, of: call.selector, expected: .string, found: call.facts[0].kind), at: place)
      }
      return .unknown
    }
    guard call.selector == "valueForKeyPath:" else {
      return text == "@count" ? .unknown : key(text, of: call.target, at: place)
    }
    guard let path = ExpressionKeyPath(parsing: text) else {
      report(
        EvaluationMistake.wrongArgument(
          1, of: call.selector, expected: "a key path", found: "an arbitrary string"), at: place)
      return .unknown
    }
    var walk = KeyWalk(facts: call.target, object: MappingExpression(.anyKey))
    let ranges = [SourceRange](repeating: place, count: path.keys.count)
    follow(ExpressionKeyPath(path.keys, at: ranges), from: 0, &walk, in: call.expressions[0])
    return walk.facts
  }

  /// Checks a call to a function of a policy, a manager or an object.
  ///
  /// - Parameters:
  ///   - known: The functions of the object itself; `nil` if they are unknown.
  /// - others: More selectors to suggest in place of an unknown selector.
  mutating func callObject(
    _ call: Call, known: [String: FunctionSignature]?, others: Set<String> = []
  ) -> ExpressionFacts {
    let registered = environment.functions.candidates(call.selector).filter(\.isOfObject)
    if let function = registered.first {
      check(call, against: function.signature)
      return ExpressionFacts(function.signature.resultType)
    }
    if environment.functions.candidates(call.selector).contains(where: \.isOfAnything) { return .unknown }
    guard let known else { return .unknown }
    if let signature = known[call.selector] {
      check(call, against: signature)
      return ExpressionFacts(signature.resultType)
    }
    var names = others.union(known.keys).union(environment.functions.objectSelectors)
    if call.expressions.isEmpty, case .object(let entity, let side) = call.target.kind {
      names.formUnion(environment.model(side)?.propertyNames(of: entity) ?? [])
    }
    report(.unknownSelector(call.selector, receiver: call.target.kind, known: names.sorted()), at: call.range)
    return .unknown
  }

  private mutating func callValue(_ call: Call) -> ExpressionFacts {
    guard let sample = call.target.kind.sample else { return .unknown }
    let functions = environment.functions
    guard let function = functions.candidates(call.selector).first(where: { $0.accepts(sample) }) else {
      report(
        .unknownSelector(call.selector, receiver: call.target.kind, known: functions.selectors(of: sample)),
        at: call.range)
      return .unknown
    }
    let before = findings.count
    check(call, against: function.signature)
    checkConstants(call, of: function)
    var type = function.signature.resultType
    if call.target.type.isNullable { type.isNullable = true }
    var result = ExpressionFacts(type)
    if findings.count == before, function.isBuiltIn { fold(call, into: &result) }
    return result
  }

  /// Checks the arguments whose possible values are known, such as the format of a date.
  private mutating func checkConstants(_ call: Call, of function: RegisteredFunction) {
    guard let checkArgument = function.checkArgument else { return }
    for (place, facts) in call.facts.enumerated() {
      for outcome in facts.outcomes {
        guard let constant = outcome.constant else { continue }
        do { try checkArgument(place, constant) } catch { report(error, at: outcome.expression.range) }
      }
    }
  }

  /// Evaluates the call if its receiver and its arguments are constant, because a mistake in constants affects every
  /// object.
  private mutating func fold(_ call: Call, into result: inout ExpressionFacts) {
    let constants = call.facts.compactMap(\.constant)
    guard let receiver = call.target.constant, constants.count == call.facts.count else { return }
    do {
      guard let value = try environment.functions.call(call.selector, on: receiver, constants) else { return }
      result.constant = value
      let kind = ExpressionType.Kind(value)
      if !kind.isCollection { result.type = ExpressionType(kind, isNullable: value.isNull) }
    } catch let mistake as EvaluationMistake {
      report(mistake, at: call.receiver.range)
      result = .unknown
    } catch {
      return
    }
  }

  private mutating func check(_ call: Call, against signature: FunctionSignature) {
    check(call.expressions, call.facts, of: call.selector, against: signature)
  }

  private mutating func check(
    _ expressions: [MappingExpression], _ facts: [ExpressionFacts], of selector: String,
    against signature: FunctionSignature
  ) {
    for (place, expected) in signature.argumentTypes.enumerated() where place < facts.count {
      let (found, range) = (facts[place], expressions[place].range)
      if expected.kind == .any || found.kind == .any { continue }
      if found.kind != .null, !takes(expected.kind, found.kind) {
        report(.argument(place + 1, of: selector, expected: expected.kind, found: found.kind), at: range)
      } else if found.kind == .null || found.type.isNullable, !expected.isNullable {
        report(.argumentMayBeNil(place + 1, of: selector, expected: expected.kind), at: range)
      }
    }
  }

  private func takes(_ expected: ExpressionType.Kind, _ found: ExpressionType.Kind) -> Bool {
    if expected == found || expected.isOpen || found.isOpen { return true }
    if expected.isNumeric && found.isNumeric { return true }
    // A transformable value is read as data, or as the object in its archive, which can be of any kind.
    if found == .transformable { return true }
    if case .collection(_, let one) = expected, case .collection(_, let other) = found { return takes(one, other) }
    return false
  }

  /// `name:(a)`: a function registered without a receiver.
  mutating func inspectOtherFunction(
    _ name: String, _ arguments: [MappingExpression], at range: SourceRange
  ) -> ExpressionFacts {
    let facts = arguments.map { inspect($0) }
    let selector = name.contains(":") || arguments.isEmpty ? name : name + ":"
    guard let function = environment.functions.global(selector) else {
      let known = environment.functions.globalNames + BuiltinFunction.allCases.map(\.rawValue)
      report(EvaluationMistake.unknownGlobalFunction(name, known: known.sorted()), at: range)
      return .unknown
    }
    let count = FunctionRegistry.argumentCount(of: selector)
    guard count == arguments.count else {
      report(EvaluationMistake.wrongArgumentCount(selector, expected: count, found: arguments.count), at: range)
      return .unknown
    }
    check(arguments, facts, of: selector, against: function.signature)
    return ExpressionFacts(function.signature.resultType)
  }
}

extension RegisteredFunction {
  /// True if the function accepts any receiver.
  fileprivate var isOfAnything: Bool { accepts(.null) }
}

extension FunctionRegistry {
  /// The selectors of all functions that are registered for objects.
  fileprivate var objectSelectors: [String] {
    selectors.filter { candidates($0).contains(where: \.isOfObject) }
  }
}
