import HeavyliftModel

extension ExpressionPrinter {
  /// Writes an expression without surrounding parentheses.
  mutating func writeBare(_ expression: MappingExpression) {
    switch expression.kind {
    case .constant(let constant): write(constant, of: expression)
    case .object: text += "SELF"
    case .anyKey: text += "ANYKEY"
    case .variable(let name): writeVariable(name, of: expression)
    case .keyPath(let base, let path): write(path, behind: base, of: expression)
    case .element(let collection, let index):
      write(collection, in: .indexed)
      text += "["
      write(index)
      text += "]"
    case .aggregate(let elements):
      text += "{"
      writeList(elements)
      text += "}"
    case .function(let function, let arguments): write(function, arguments, of: expression)
    case .otherFunction(let name, let arguments): writeOther(name, arguments, of: expression)
    case .call(let receiver, let selector, let arguments):
      text += "FUNCTION("
      write(receiver)
      text += ", \(StringLiteral.text(selector))"
      for argument in arguments {
        text += ", "
        write(argument)
      }
      text += ")"
    case .cast(let operand, let typeName): writeCast(operand, typeName, of: expression)
    case .ternary(let condition, let first, let second):
      text += "TERNARY("
      write(condition)
      text += ", "
      writeList([first, second])
      text += ")"
    case .subquery(let collection, let variable, let condition):
      guard variable.isName else { return writeUnprintable(expression, .variable(variable), shown: "SUBQUERY(…)") }
      text += "SUBQUERY("
      write(collection)
      text += ", $\(variable), "
      write(condition)
      text += ")"
    case .fetch(let request, let context, let countOnly):
      text += "FETCH("
      writeList([request, context])
      text += ", \(countOnly ? "TRUE" : "FALSE"))"
    case .set(let operation, let left, let right):
      write(left, in: .operand)
      text += " \(operation.rawValue) "
      write(right, in: .operand)
    case .assignment(let name, let value):
      guard name.isName else { return writeUnprintable(expression, .variable(name), shown: "$\(name) := …") }
      text += "$\(name) := "
      write(value)
    }
  }

  private mutating func writeVariable(_ name: String, of expression: MappingExpression) {
    guard name.isName else { return writeUnprintable(expression, .variable(name), shown: "$\(name)") }
    text += "$\(name)"
  }

  private mutating func write(_ index: ElementIndex) {
    switch index {
    case .first: text += "FIRST"
    case .last: text += "LAST"
    case .size: text += "SIZE"
    case .at(let index): write(index)
    }
  }

  // MARK: Key paths

  private mutating func write(
    _ path: ExpressionKeyPath, behind base: MappingExpression, of expression: MappingExpression
  ) {
    guard !path.keys.isEmpty else { return writeUnprintable(expression, .emptyPath, shown: "SELF") }
    if base.kind != .object { write(base, in: .base) }
    for (index, key) in path.keys.enumerated() {
      if index > 0 || base.kind != .object { text += "." }
      write(key)
    }
  }

  private mutating func write(_ key: ExpressionKeyPath.Key) {
    switch key {
    case .collection(let operation): text += "@\(operation.rawValue)"
    case .element: text += "#self"
    case .name(let name):
      if name.isName, name != "self" {
        text += Keyword(word: name) == nil ? name : "#\(name)"
      } else if name.first == "@", String(name.dropFirst()).isName, ExpressionKeyPath(parsing: name)?.keys == [key] {
        text += name
      } else if usesPlaceholders {
        text += "%K"
        arguments.append(.keyPath(ExpressionKeyPath([key])))
      } else {
        obstacles.append(UnprintablePart(.key(name)))
        text += name
      }
    }
  }

  // MARK: Calls

  private mutating func write(
    _ function: BuiltinFunction, _ arguments: [MappingExpression], of expression: MappingExpression
  ) {
    switch InfixForm(function, arguments) {
    case .between(let left, let symbol, let right):
      write(left, in: function == .power ? .powerBase : .operand)
      text += " \(symbol) "
      write(right, in: .operand)
    case .minus(let operand):
      text += "-"
      write(operand, in: .negated)
    case nil:
      let name = function.rawValue
      guard arguments.count == function.argumentCount else {
        return writeUnprintable(
          expression, .arguments(function: name, count: arguments.count), shown: "\(name)(…)")
      }
      if function == .elementAtIndex, usesPlaceholders {
        return writeUnprintable(expression, .otherwiseRead(name), shown: "")
      }
      text += "\(name)("
      writeList(arguments)
      text += ")"
    }
  }

  private mutating func writeOther(
    _ name: String, _ arguments: [MappingExpression], of expression: MappingExpression
  ) {
    let isCallable =
      if arguments.isEmpty, name.isName {
        Keyword(word: name)?.isCallable != false && BuiltinFunction(rawValue: name) == nil
          && !BuiltinFunction.isStatistics(name + ":") && BuiltinFunction(rawValue: name + ":") == nil
      } else {
        name.isSelector && BuiltinFunction(rawValue: name) == nil && !BuiltinFunction.isStatistics(name)
          && name != BuiltinFunction.castSelector
      }
    guard isCallable else { return writeUnprintable(expression, .function(name), shown: "\(name)(…)") }
    text += "\(name)("
    writeList(arguments)
    text += ")"
  }

  private mutating func writeCast(
    _ operand: MappingExpression, _ typeName: String, of expression: MappingExpression
  ) {
    if usesPlaceholders, CastLiteral.constant(operand, typeName: typeName) != nil {
      return writeUnprintable(expression, .otherwiseRead("CAST"), shown: "")
    }
    text += "CAST("
    write(operand)
    text += ", \(StringLiteral.text(typeName)))"
  }
}

extension String {
  /// True for a name in the language: ASCII letters, digits and underscores, not starting with a digit.
  var isName: Bool {
    guard let first = unicodeScalars.first, first.isNameStart else { return false }
    return unicodeScalars.allSatisfy(\.isNamePart)
  }

  /// True for one or more labels, each followed by a colon; all but the first may be empty.
  var isSelector: Bool {
    guard unicodeScalars.last == ":" else { return false }
    let labels = dropLast().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    return labels.first?.isName == true && labels.allSatisfy { $0.isEmpty || $0.isName }
  }
}
