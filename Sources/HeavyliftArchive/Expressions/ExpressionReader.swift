import HeavyliftModel

/// Reads the expressions and predicates of an archive.
///
/// The keys that it reads occur in real models, model caches and mapping models. Only the keys of subqueries and
/// ternaries are inferred from public property names; archives with other keys are rejected, because a guess could be
/// wrong.
package struct ExpressionReader {
  /// The maximum nesting depth, which is more than Foundation's own parser can handle.
  private static let depthLimit = 100

  package var budget: ReadingBudget
  private var depth = 0

  package init(budget: ReadingBudget) { self.budget = budget }

  package mutating func expression(_ value: ArchivedValue?) throws(ArchiveMistake) -> ArchivedExpression {
    guard let object = value?.object else { throw .unknownExpression(className: Self.kind(of: value)) }
    try enter()
    defer { depth -= 1 }
    switch object.className {
    case "NSConstantValueExpression": return try constant(object)
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression": return .variable(try text("NSVariable", of: object))
    case "NSKeyPathExpression": return try keyPath(object)
    case "NSKeyPathSpecifierExpression":
      return .keyPath(of: .evaluatedObject, try text("NSKeyPath", of: object))
    case "NSFunctionExpression": return try function(object)
    case "NSAggregateExpression": return .aggregate(try expressions("NSCollection", of: object))
    case "NSSymbolicExpression": return .symbol(try text("NSSymbol", of: object))
    case "NSSetExpression":
      guard let operation = object["NSExpressionType"]?.integer.flatMap(ArchivedExpression.SetOperation.init) else {
        throw .missingKey("NSExpressionType", className: object.className)
      }
      return .set(
        operation, try expression(child("NSLeftExpression", of: object)),
        try expression(child("NSRightExpression", of: object)))
    case "NSSubqueryExpression":
      return .subquery(
        try expression(child("NSExpression", of: object)), variable: try variable(object),
        try predicate(child("NSPredicate", of: object)))
    case "NSTernaryExpression":
      return .ternary(
        try predicate(child("NSPredicate", of: object)), try expression(child("NSTrueExpression", of: object)),
        try expression(child("NSFalseExpression", of: object)))
    case "NSFetchRequestExpression":
      return .fetch(
        request: try expression(child("NSFRExpression", of: object)),
        context: try expression(child("NSMOCExpression", of: object)),
        countOnly: object["NSCountOnlyFlag"]?.boolean ?? false)
    case "NSAnyKeyExpression": return .anyKey
    default: throw .unknownExpression(className: String(object.className.prefix(64)))
    }
  }

  mutating func predicate(_ value: ArchivedValue?) throws(ArchiveMistake) -> ArchivedPredicate {
    guard let object = value?.object else { throw .unknownExpression(className: Self.kind(of: value)) }
    try enter()
    defer { depth -= 1 }
    switch object.className {
    case "NSTruePredicate": return .literal(true)
    case "NSFalsePredicate": return .literal(false)
    case "NSCompoundPredicate": return try compound(object)
    case "NSComparisonPredicate": return try comparison(object)
    default: throw .unknownExpression(className: String(object.className.prefix(64)))
    }
  }

  // MARK: Kinds of expressions

  private mutating func constant(_ object: ArchivedObject) throws(ArchiveMistake) -> ArchivedExpression {
    if let name = object["NSConstantValueClassName"], !name.isNull {
      // Nil is stored as the class name "nil"; any other name is that of a class.
      let className = try string(name, "NSConstantValueClassName", of: object)
      return className == "nil" ? .constant(.value(.null)) : .classReceiver(className)
    }
    return .constant(try constant(object["NSConstantValue"] ?? .null))
  }

  private mutating func constant(_ value: ArchivedValue) throws(ArchiveMistake) -> ArchivedConstant {
    try enter()
    defer { depth -= 1 }
    if let elements = value.elements {
      var constants: [ArchivedConstant] = []
      for element in elements { constants.append(try constant(element)) }
      return .collection(constants)
    }
    guard let constant = value.value else { throw .unknownExpression(className: Self.kind(of: value)) }
    switch constant {
    case .double(let number) where !number.isFinite: throw .unknownExpression(className: "NSNumber")
    case .string(let text), .uri(let text): try budget.spend(text.utf8.count)
    case .data(let data): try budget.spend(data.count)
    default: break
    }
    return .value(constant)
  }

  private mutating func keyPath(_ object: ArchivedObject) throws(ArchiveMistake) -> ArchivedExpression {
    let operand = try expression(child("NSOperand", of: object))
    guard let arguments = object["NSArguments"]?.elements, arguments.count == 1 else {
      throw .missingKey("NSArguments", className: object.className)
    }
    switch try expression(arguments[0]) {
    case .keyPath(of: .evaluatedObject, let path), .constant(.value(.string(let path))):
      return .keyPath(of: operand, path)
    default: throw .wrongKind("NSArguments", className: object.className, expected: "a key path")
    }
  }

  private mutating func function(_ object: ArchivedObject) throws(ArchiveMistake) -> ArchivedExpression {
    .function(
      receiver: try expression(child("NSOperand", of: object)), selector: try text("NSSelectorName", of: object),
      arguments: object["NSArguments"].map(\.isNull) ?? true ? [] : try expressions("NSArguments", of: object))
  }

  private mutating func variable(_ object: ArchivedObject) throws(ArchiveMistake) -> String {
    guard case .variable(let name)? = try? expression(object["NSVariable"]) else {
      return try text("NSVariable", of: object)
    }
    return name
  }

  // MARK: Kinds of predicates

  private mutating func compound(_ object: ArchivedObject) throws(ArchiveMistake) -> ArchivedPredicate {
    guard let type = object["NSCompoundPredicateType"]?.integer else {
      throw .missingKey("NSCompoundPredicateType", className: object.className)
    }
    guard let elements = object["NSSubpredicates"]?.elements else {
      throw .missingKey("NSSubpredicates", className: object.className)
    }
    var predicates: [ArchivedPredicate] = []
    for element in elements { predicates.append(try predicate(element)) }
    switch (type, predicates.count) {
    case (0, 1): return .not(predicates[0])
    case (1, _): return .and(predicates)
    case (2, _): return .or(predicates)
    default: throw .wrongKind("NSCompoundPredicateType", className: object.className, expected: "AND, OR or NOT")
    }
  }

  private mutating func comparison(_ object: ArchivedObject) throws(ArchiveMistake) -> ArchivedPredicate {
    guard let means = object["NSPredicateOperator"]?.object else {
      throw .missingKey("NSPredicateOperator", className: object.className)
    }
    guard let type = means["NSOperatorType"]?.integer else {
      throw .missingKey("NSOperatorType", className: means.className)
    }
    guard let comparison = ArchivedPredicate.Operator(rawValue: type) else {
      throw .unknownExpression(className: String(means.className.prefix(64)))
    }
    guard let modifier = ArchivedPredicate.Modifier(rawValue: means["NSModifier"]?.integer ?? 0) else {
      throw .wrongKind("NSModifier", className: means.className, expected: "direct, ALL or ANY")
    }
    // Number operators store their options under one key, string operators under another.
    let options = (means["NSOptions"] ?? means["NSFlags"])?.integer ?? 0
    return .comparison(
      try expression(child("NSLeftExpression", of: object)), comparison,
      try expression(child("NSRightExpression", of: object)), modifier: modifier,
      options: ArchivedPredicate.Options(rawValue: options & 0xF))
  }

  // MARK: Values

  private mutating func enter() throws(ArchiveMistake) {
    try budget.spend()
    depth += 1
    if depth > Self.depthLimit { throw .tooDeep(Self.depthLimit) }
  }

  private func child(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> ArchivedValue {
    guard let value = object[key] else { throw .missingKey(key, className: object.className) }
    return value
  }

  private mutating func expressions(
    _ key: String, of object: ArchivedObject
  ) throws(ArchiveMistake) -> [ArchivedExpression] {
    guard let elements = try child(key, of: object).elements else {
      throw .wrongKind(key, className: object.className, expected: "an array")
    }
    var result: [ArchivedExpression] = []
    for element in elements { result.append(try expression(element)) }
    return result
  }

  private mutating func text(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> String {
    try string(child(key, of: object), key, of: object)
  }

  private mutating func string(
    _ value: ArchivedValue, _ key: String, of object: ArchivedObject
  ) throws(ArchiveMistake) -> String {
    guard let text = value.string else { throw .wrongKind(key, className: object.className, expected: "text") }
    try budget.spend(text.utf8.count)
    return text
  }

  private static func kind(of value: ArchivedValue?) -> String {
    guard let value else { return "nil" }
    if let object = value.object { return String(object.className.prefix(64)) }
    return value.dictionary == nil ? value.value?.kind ?? "NSArray" : "NSDictionary"
  }
}
