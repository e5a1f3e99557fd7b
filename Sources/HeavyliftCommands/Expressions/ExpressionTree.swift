import HeavyliftExpression

/// The structure of an expression: its kind and its parts.
struct ExpressionTree {
  var label: String
  var children: [ExpressionTree] = []

  private init(_ label: String, _ children: [ExpressionTree] = []) {
    (self.label, self.children) = (label, children)
  }

  init(_ expression: MappingExpression) {
    switch expression.kind {
    case .constant: self.init("constant \(expression)")
    case .object: self.init("SELF")
    case .variable(let name): self.init("variable $\(name)")
    case .keyPath(let base, let path):
      let keys = MappingExpression(.keyPath(base: MappingExpression(.object), path))
      if case .object = base.kind {
        self.init("key path \(keys)")
      } else {
        self.init("key path \(keys) of", [ExpressionTree(base)])
      }
    case .element(let collection, let index):
      switch index {
      case .first: self.init("element [FIRST]", [ExpressionTree(collection)])
      case .last: self.init("element [LAST]", [ExpressionTree(collection)])
      case .size: self.init("element [SIZE]", [ExpressionTree(collection)])
      case .at(let place): self.init("element", [ExpressionTree(collection), ExpressionTree(place)])
      }
    case .aggregate(let elements): self.init("collection", elements.map(ExpressionTree.init))
    case .function(let function, let arguments):
      self.init("function \(function.rawValue)", arguments.map(ExpressionTree.init))
    case .otherFunction(let name, let arguments):
      self.init("function \(name)", arguments.map(ExpressionTree.init))
    case .call(let receiver, let selector, let arguments):
      self.init("FUNCTION \(selector)", ([receiver] + arguments).map(ExpressionTree.init))
    case .cast(let operand, let typeName): self.init("CAST to \(typeName)", [ExpressionTree(operand)])
    case .ternary(let test, let then, let otherwise):
      self.init("TERNARY", [ExpressionTree(test), ExpressionTree(then), ExpressionTree(otherwise)])
    case .subquery(let collection, let variable, let test):
      self.init("SUBQUERY $\(variable)", [ExpressionTree(collection), ExpressionTree(test)])
    case .fetch(let request, let context, let countOnly):
      self.init(countOnly ? "FETCH count" : "FETCH", [ExpressionTree(request), ExpressionTree(context)])
    case .set(let setOperator, let left, let right):
      self.init(setOperator.rawValue, [ExpressionTree(left), ExpressionTree(right)])
    case .assignment(let name, let value): self.init("assignment $\(name)", [ExpressionTree(value)])
    case .anyKey: self.init("ANYKEY")
    }
  }

  init(_ predicate: MappingPredicate) {
    switch predicate.kind {
    case .literal(let value): self.init(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let comparison):
      let quantifier = comparison.quantifier.map { "\($0.rawValue) " } ?? ""
      self.init(
        "comparison \(quantifier)\(comparison.comparator.rawValue)\(comparison.options.letters)",
        [ExpressionTree(comparison.left), ExpressionTree(comparison.right)])
    case .custom(let comparison):
      let quantifier = comparison.quantifier.map { "\($0.rawValue) " } ?? ""
      self.init(
        "comparison \(quantifier)\(comparison.name)",
        [ExpressionTree(comparison.left), ExpressionTree(comparison.right)])
    case .not(let negated): self.init("NOT", [ExpressionTree(negated)])
    case .and(let parts): self.init("AND", parts.map(ExpressionTree.init))
    case .or(let parts): self.init("OR", parts.map(ExpressionTree.init))
    }
  }

  /// One line per node, indented by depth.
  var text: String {
    var lines: [String] = []
    append(to: &lines, indentation: "")
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSONValue {
    .object([("node", .string(label)), ("children", .array(children.map(\.json)))])
  }

  private func append(to lines: inout [String], indentation: String) {
    lines.append(indentation + label.shown)
    for child in children { child.append(to: &lines, indentation: indentation + "  ") }
  }
}

extension ComparisonOptions {
  fileprivate var letters: String {
    let all: [(ComparisonOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
    ]
    let letters = all.filter { contains($0.0) }.map(\.1).joined()
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}
