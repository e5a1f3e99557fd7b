import HeavyliftExpression
import HeavyliftStore

/// The objects in an expression's result: none, one, or a collection in any form.
package struct ObjectList: ExpressionConvertible {
  package static let expressionKind = "an object, a collection of objects, or nil"

  package var objects: [ManagedObject]

  package init(_ objects: [ManagedObject]) { self.objects = objects }

  package init?(expressionValue: ExpressionValue) {
    switch expressionValue {
    case .null: objects = []
    case .object(let object):
      guard let object = object as? ManagedObject else { return nil }
      objects = [object]
    default:
      guard let elements = expressionValue.elements else { return nil }
      objects = []
      objects.reserveCapacity(elements.count)
      for element in elements {
        // A key path over several objects yields null for each object that has no value on that path.
        if element.isNull { continue }
        guard case .object(let object) = element, let object = object as? ManagedObject else { return nil }
        objects.append(object)
      }
    }
  }

  package var expressionValue: ExpressionValue { .array(objects.map { .object($0) }) }
}
