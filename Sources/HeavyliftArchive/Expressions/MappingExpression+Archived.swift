import HeavyliftExpression
import HeavyliftModel

extension MappingExpression {
  /// Creates an expression from an archived one, with exactly the same constants.
  ///
  /// ```swift
  /// let archived = try ArchivedExpression(archive.root ?? .null, in: archive)
  /// let expression = try MappingExpression(archived: archived)
  /// ```
  ///
  /// `subject` names the archive in errors. Throws if the archive contains something that the expression language
  /// cannot express.
  package init(archived: ArchivedExpression, subject: String = "the archive") throws(Diagnostic) {
    do {
      self = try archived.mappingExpression().asRead
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// The expression in the form that parsing its text yields, so that equivalent expressions are equal.
  package var asRead: MappingExpression {
    guard let text = try? text(), let read = try? MappingExpression(parsing: text) else { return self }
    return read == self ? self : read
  }
}

extension ArchivedExpression {
  /// The receiver of built-in functions.
  private static let ownFunctions = ArchivedExpression.classReceiver("_NSPredicateUtilities")

  package func mappingExpression() throws(ArchiveMistake) -> MappingExpression {
    switch self {
    case .constant(let constant): constant.mappingExpression
    case .classReceiver(let name): MappingExpression(.cast(.text(name), typeName: "Class"))
    case .evaluatedObject: MappingExpression(.object)
    case .variable(let name): MappingExpression(.variable(name))
    case .keyPath(let operand, let path): try Self.keyPath(of: try operand.mappingExpression(), path)
    case .function(Self.ownFunctions, let selector, let arguments): try Self.function(selector, arguments)
    case .function(let receiver, let selector, let arguments):
      MappingExpression(.call(receiver: try receiver.mappingExpression(), selector: selector, try Self.all(arguments)))
    case .aggregate(let elements): MappingExpression(.aggregate(try Self.all(elements)))
    // Symbols have a meaning only in square brackets.
    case .symbol: throw .unknownExpression(className: "NSSymbolicExpression")
    case .set(let operation, let left, let right):
      MappingExpression(.set(operation.setOperator, try left.mappingExpression(), try right.mappingExpression()))
    case .subquery(let collection, let variable, let predicate):
      MappingExpression(
        .subquery(try collection.mappingExpression(), variable: variable, try predicate.mappingPredicate()))
    case .ternary(let predicate, let first, let second):
      MappingExpression(
        .ternary(
          try predicate.mappingPredicate(), then: try first.mappingExpression(),
          otherwise: try second.mappingExpression()))
    case .fetch(let request, let context, let countOnly):
      MappingExpression(
        .fetch(
          request: try request.mappingExpression(), context: try context.mappingExpression(), countOnly: countOnly))
    case .anyKey: MappingExpression(.anyKey)
    }
  }

  private static func all(_ expressions: [ArchivedExpression]) throws(ArchiveMistake) -> [MappingExpression] {
    var result: [MappingExpression] = []
    for expression in expressions { result.append(try expression.mappingExpression()) }
    return result
  }

  /// Returns a single path, even if the archive nests one path in another.
  private static func keyPath(of base: MappingExpression, _ path: String) throws(ArchiveMistake) -> MappingExpression {
    guard let keys = ExpressionKeyPath(parsing: path)?.keys else {
      throw .unknownExpression(className: "NSKeyPathExpression")
    }
    if case .keyPath(let inner, let first) = base.kind {
      return MappingExpression(.keyPath(base: inner, ExpressionKeyPath(first.keys + keys)))
    }
    // `SELF` as a path is the object itself.
    if base.kind == .object, keys == [.element] { return base }
    return MappingExpression(.keyPath(base: base, ExpressionKeyPath(keys)))
  }

  private static func function(
    _ selector: String, _ arguments: [ArchivedExpression]
  ) throws(ArchiveMistake) -> MappingExpression {
    switch (selector, arguments.count) {
    case (BuiltinFunction.elementAtIndex.rawValue, 2):
      return MappingExpression(.element(of: try arguments[0].mappingExpression(), try arguments[1].elementIndex()))
    case ("castObject:toType:", 2):
      guard let typeName = try arguments[1].mappingExpression().castTypeName else { break }
      return MappingExpression(.cast(try arguments[0].mappingExpression(), typeName: typeName))
    default: break
    }
    let values = try all(arguments)
    guard let function = BuiltinFunction(rawValue: selector) else {
      return MappingExpression(.otherFunction(selector, values))
    }
    if values.count > 1, function.argumentCount == 1 {
      // `max:(1, 5)`: the arguments are the elements of one collection.
      return MappingExpression(.function(function, [MappingExpression(.aggregate(values))]))
    }
    guard values.count == function.argumentCount else { throw .unknownExpression(className: "NSFunctionExpression") }
    return MappingExpression(.function(function, values))
  }

  private func elementIndex() throws(ArchiveMistake) -> ElementIndex {
    switch self {
    case .symbol("FIRST"): .first
    case .symbol("LAST"): .last
    case .symbol("SIZE"): .size
    default: .at(try mappingExpression())
    }
  }
}

extension ArchivedConstant {
  /// The constant as an expression; a collection becomes its elements in braces, as if parsed from text.
  fileprivate var mappingExpression: MappingExpression {
    switch self {
    case .value(let value): MappingExpression(.constant(.value(value)))
    case .collection(let elements): MappingExpression(.aggregate(elements.map(\.mappingExpression)))
    }
  }
}

extension MappingExpression {
  fileprivate static func text(_ text: String) -> MappingExpression {
    MappingExpression(.constant(.value(.string(text))))
  }
}

extension ArchivedExpression.SetOperation {
  fileprivate var setOperator: SetOperator {
    switch self {
    case .union: .union
    case .intersect: .intersect
    case .minus: .minus
    }
  }
}
