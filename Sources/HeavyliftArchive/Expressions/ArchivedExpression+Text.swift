extension ArchivedExpression: CustomStringConvertible {
  /// The expression in predicate format syntax.
  package var description: String {
    switch self {
    case .constant(let constant): constant.description
    case .classReceiver(let name): "CAST(\(ArchivedConstant.quoted(name)), \"Class\")"
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .keyPath(of: .evaluatedObject, let path): Self.escaped(path)
    case .keyPath(of: let operand, let path): "\(operand.asOperand).\(Self.escaped(path))"
    case .function(let receiver, let selector, let arguments):
      Self.call(receiver: receiver, selector: selector, arguments: arguments)
    case .aggregate(let elements): "{\(Self.list(elements))}"
    case .symbol(let name): name
    case .set(let operation, let left, let right): "\(left.asOperand) \(operation.keyword) \(right.asOperand)"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(collection), $\(variable), \(predicate))"
    case .ternary(let predicate, let first, let second): "TERNARY(\(predicate), \(first), \(second))"
    case .fetch(let request, let context, let countOnly):
      "FETCH(\(request), \(context), \(countOnly ? "YES" : "NO"))"
    case .anyKey: "ANYKEY"
    }
  }

  /// The infix operators, by the names of the functions that represent them in an archive.
  private static let infixOperators = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
    "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "bitwiseXor:with:": "^", "leftshift:by:": "<<",
    "rightshift:by:": ">>",
  ]

  private static func call(
    receiver: ArchivedExpression, selector: String, arguments: [ArchivedExpression]
  ) -> String {
    guard receiver == .classReceiver("_NSPredicateUtilities") else {
      let parts = [receiver.description, ArchivedConstant.quoted(selector)] + arguments.map(\.description)
      return "FUNCTION(\(parts.joined(separator: ", ")))"
    }
    switch (selector, arguments.count) {
    case ("objectFrom:withIndex:", 2): return "\(arguments[0].asOperand)[\(arguments[1])]"
    case ("castObject:toType:", 2): return "CAST(\(list(arguments)))"
    case (_, 2):
      guard let symbol = infixOperators[selector] else { break }
      return "\(arguments[0].asOperand) \(symbol) \(arguments[1].asOperand)"
    default: break
    }
    return "\(selector)(\(list(arguments)))"
  }

  private static func list(_ expressions: [ArchivedExpression]) -> String {
    expressions.map(\.description).joined(separator: ", ")
  }

  /// The expression, in parentheses if it could otherwise bind to a neighboring operator.
  private var asOperand: String { bindsLoosely ? "(\(self))" : description }

  private var bindsLoosely: Bool {
    switch self {
    case .set: true
    case .function(.classReceiver("_NSPredicateUtilities"), let selector, let arguments):
      arguments.count == 2 && Self.infixOperators[selector] != nil
    default: false
    }
  }

  private static let reservedWords: Set<String> = [
    "and", "or", "in", "not", "all", "any", "some", "none", "like", "caseinsensitive", "ci", "matches", "contains",
    "beginswith", "endswith", "between", "null", "nil", "self", "true", "yes", "false", "no", "first", "last", "size",
    "anykey", "subquery", "fetch", "cast", "truepredicate", "falsepredicate", "function", "union", "intersect",
    "minus", "ternary",
  ]

  /// Escapes keys that are reserved words.
  private static func escaped(_ path: String) -> String {
    path.split(separator: ".", omittingEmptySubsequences: false)
      .map { reservedWords.contains($0.lowercased()) ? "#\($0)" : "\($0)" }
      .joined(separator: ".")
  }
}

extension ArchivedExpression.SetOperation {
  fileprivate var keyword: String {
    switch self {
    case .union: "UNION"
    case .intersect: "INTERSECT"
    case .minus: "MINUS"
    }
  }
}
