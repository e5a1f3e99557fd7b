import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftReports

/// Reads attribute values from JSON, in the format of a dump.
struct GraphValueReader {
  let model: ManagedObjectModel
  /// The folder that the graph's file references are relative to.
  let folder: URL?

  /// Returns the value, or throws a diagnostic for the mistake in it.
  func value(
    of node: JSONNode, attribute: AttributeDescription, entity: String
  ) throws(Diagnostic) -> Value {
    let name = attribute.name
    func wrong(_ remedy: String) -> Diagnostic {
      GraphMistake.wrongValue(name, entity: entity, type: attribute.type, found: node.name, remedy: remedy)
        .diagnostic(at: node.location)
    }
    func unreadable(_ remedy: String) -> Diagnostic {
      GraphMistake.wrongValue(
        name, entity: entity, type: attribute.type, found: "this text", remedy: remedy
      ).diagnostic(at: node.location)
    }
    if case .null = node.kind { return .null }
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      guard case .number(let digits) = node.kind else { throw wrong("write a whole number: 42") }
      guard let number = Int64(digits), attribute.type.integerRange?.contains(number) ?? true else {
        let range = attribute.type.integerRange ?? Int64.min...Int64.max
        throw unreadable("write a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return .integer(number)
    case .boolean:
      guard case .bool(let truth) = node.kind else { throw wrong("write true or false") }
      return .bool(truth)
    case .double, .float:
      let remedy = #"write a number: 1.5, or "NaN", "Infinity", "-Infinity""#
      switch node.kind {
      case .number(let digits):
        guard let number = Double(digits), number.isFinite else { throw unreadable(remedy) }
        return .double(number)
      case .string("NaN"): return .double(.nan)
      case .string("Infinity"): return .double(.infinity)
      case .string("-Infinity"): return .double(-.infinity)
      default: throw wrong(remedy)
      }
    case .decimal:
      let remedy = #"write the digits as a string: "12.50", or "NaN""#
      let digits: String
      switch node.kind {
      case .string("NaN"): return .decimal(.nan)
      case .string(let text): digits = text
      case .number(let text): digits = text
      default: throw wrong(remedy)
      }
      guard let decimal = Decimal(wholeText: digits) else { throw unreadable(remedy) }
      return .decimal(decimal)
    case .string:
      guard let text = node.string else { throw wrong("write it in double quotes") }
      return .string(text)
    case .uri:
      guard let text = node.string else { throw wrong("write it in double quotes") }
      return .uri(text)
    case .uuid:
      let remedy = #"write it as "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6""#
      guard let text = node.string else { throw wrong(remedy) }
      guard let uuid = UUID(uuidString: text) else { throw unreadable(remedy) }
      return .uuid(uuid)
    case .date:
      let remedy = #"write it as "2001-01-31T23:59:59.5Z", or {"seconds": …} since 2001"#
      if let members = node.members, members.count == 1, members[0].name == "seconds" {
        let endless = ["Infinity": Double.infinity, "-Infinity": -Double.infinity]
        let found: Double?
        if case .number(let digits) = members[0].value.kind {
          found = Double(digits).flatMap { $0.isFinite ? $0 : nil }
        } else {
          found = members[0].value.string.flatMap { endless[$0] }
        }
        if let found { return .date(Date(timeIntervalSinceReferenceDate: found)) }
      }
      guard let text = node.string else { throw wrong(remedy) }
      guard let seconds = CalendarText.secondsSince2001(text) else { throw unreadable(remedy) }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .binaryData, .transformable: return .data(try data(node, wrong, unreadable))
    case .composite: return try composite(node, attribute, entity, wrong)
    case .undefined, .objectID:
      throw wrong("give the attribute another type in the model: graphs cannot hold such values")
    }
  }

  private func composite(
    _ node: JSONNode, _ attribute: AttributeDescription, _ entity: String, _ wrong: (String) -> Diagnostic
  ) throws(Diagnostic) -> Value {
    guard let members = node.members else { throw wrong("write its elements in { }, each with its name") }
    let elements = attribute.compositeName.flatMap(model.composite(named:))?.elements ?? []
    var values: [String: Value] = [:]
    for member in members {
      guard let element = elements.first(where: { $0.name == member.name }) else {
        throw GraphMistake.unknownElement(member.name, attribute: attribute.name, known: elements.map(\.name))
          .diagnostic(at: member.nameLocation)
      }
      values[member.name] = try value(of: member.value, attribute: element, entity: entity)
    }
    return .composite(values)
  }

  private func data(
    _ node: JSONNode, _ wrong: (String) -> Diagnostic, _ unreadable: (String) -> Diagnostic
  ) throws(Diagnostic) -> Data {
    let remedy = #"write the bytes as base64, or {"file": "name"} for the contents of a file next to the graph"#
    if let members = node.members, members.count == 1, members[0].name == "file", let name = members[0].value.string {
      let url = URL(fileURLWithPath: name, relativeTo: folder)
      do {
        return try RegularFile.read(url)
      } catch {
        throw GraphMistake.unreadableFile(name, reason: .unreadable("the file", because: error))
          .diagnostic(at: members[0].value.location)
      }
    }
    guard let text = node.string else { throw wrong(remedy) }
    guard let data = Data(base64Encoded: text) else { throw unreadable(remedy) }
    return data
  }
}
