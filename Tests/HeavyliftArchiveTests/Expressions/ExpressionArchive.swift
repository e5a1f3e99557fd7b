import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Archives expressions and predicates as in real files, for tests.
struct ExpressionArchive {
  typealias Reference = KeyedArchiveWriter.Reference
  private(set) var writer = KeyedArchiveWriter()

  mutating func object(_ className: String, _ fields: [String: PropertyList] = [:]) -> Reference {
    writer.addObject([className, "NSObject"], fields)
  }

  mutating func add(_ value: Value) -> PropertyList { writer.add(value).field }

  mutating func reference(to value: Value) -> Reference { writer.add(value) }

  /// A function whose only argument is the function itself.
  mutating func selfContaining() -> Reference {
    let reference = writer.reserve()
    writer.define(
      reference, ["NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSOperand": className("_NSPredicateUtilities").field, "NSSelectorName": add("abs:"),
        "NSArguments": list([reference]),
      ])
    return reference
  }

  /// An entity that is its own parent.
  mutating func selfInheriting() -> Reference {
    let reference = writer.reserve()
    let properties = dictionary([])
    writer.define(
      reference, ["NSEntityDescription", "NSObject"],
      ["NSEntityName": add("E"), "NSSuperentity": reference.field, "NSProperties": properties])
    return reference
  }

  mutating func dictionary(_ entries: [(String, Reference)]) -> PropertyList {
    writer.addDictionary(entries.map { (reference(to: .string($0.0)), $0.1) }).field
  }

  mutating func list(_ elements: [Reference]) -> PropertyList { writer.addArray(elements).field }

  mutating func reference(toListOf elements: [Reference]) -> Reference { writer.addArray(elements) }

  mutating func constant(_ value: Value) -> Reference {
    object("NSConstantValueExpression", ["NSConstantValue": add(value)])
  }

  mutating func className(_ name: String) -> Reference {
    object("NSConstantValueExpression", ["NSConstantValueClassName": add(.string(name))])
  }

  mutating func variable(_ name: String) -> Reference {
    object("NSVariableExpression", ["NSVariable": add(.string(name))])
  }

  mutating func keyPath(_ path: String, of operand: Reference? = nil) -> Reference {
    let specifier = object("NSKeyPathSpecifierExpression", ["NSKeyPath": add(.string(path))])
    let receiver = operand ?? object("NSSelfExpression")
    return object(
      "NSKeyPathExpression",
      [
        "NSOperand": receiver.field, "NSSelectorName": add(.string("valueForKeyPath:")),
        "NSArguments": list([specifier]),
      ])
  }

  mutating func function(_ selector: String, _ arguments: [Reference], of receiver: Reference? = nil) -> Reference {
    let operand = receiver ?? className("_NSPredicateUtilities")
    return object(
      "NSFunctionExpression",
      ["NSOperand": operand.field, "NSSelectorName": add(.string(selector)), "NSArguments": list(arguments)])
  }

  mutating func comparison(
    _ left: Reference, _ type: Int64, _ right: Reference, modifier: Int64 = 0, options: Int64 = 0
  ) -> Reference {
    let means = object(
      "NSComparisonPredicateOperator",
      ["NSOperatorType": .integer(type), "NSModifier": .integer(modifier), "NSOptions": .integer(options)])
    return object(
      "NSComparisonPredicate",
      ["NSLeftExpression": left.field, "NSRightExpression": right.field, "NSPredicateOperator": means.field])
  }

  mutating func compound(_ type: Int64, _ predicates: [Reference]) -> Reference {
    object(
      "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list(predicates)])
  }

  func archive(_ root: Reference) throws -> KeyedArchive { try KeyedArchive(data: writer.archive(root: root)) }
}
