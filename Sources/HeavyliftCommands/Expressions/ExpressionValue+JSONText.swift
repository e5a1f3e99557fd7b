import HeavyliftExpression
import HeavyliftModel
import HeavyliftReports

extension ExpressionValue {
  /// The value in the format of a dump: objects by entity and key.
  var jsonText: String {
    switch self {
    case .array(let elements): return "[\(elements.map(\.jsonText).joined(separator: ","))]"
    case .set(let values), .orderedSet(let values):
      return "[\(values.elements.map(\.jsonText).joined(separator: ","))]"
    case .dictionary(let values):
      let members = values.sorted { $0.key < $1.key }.map { "\(JSONText.quoted($0.key)):\($0.value.jsonText)" }
      return "{\(members.joined(separator: ","))}"
    case .object(let object): return JSONText.quoted("\(object)")
    default: return JSONText.value(Value(self) ?? .null)
    }
  }
}
