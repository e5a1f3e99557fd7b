import HeavyliftExpression
import HeavyliftStore

/// The objects in an expression's result: none, one, or a collection in any form.
package struct ObjectList: ExpressionConvertible {
  package static let expressionKind = "an object, a collection of objects, or nil"

  package var objects: [ManagedObject]

  package init(_ objects: [ManagedObject]) { self.objects = objects }

  package init?(expressionValue: ExpressionValue) {
    guard let objects = expressionValue.managedObjects else { return nil }
    self.objects = objects
  }

  package var expressionValue: ExpressionValue { .array(objects.map { .object($0) }) }
}
