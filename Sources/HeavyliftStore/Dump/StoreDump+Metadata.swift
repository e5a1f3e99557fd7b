import Foundation
import HeavyliftArchive
import HeavyliftModel

extension JSONWriter {
  /// Writes a line with the store's metadata, without entries that depend only on the framework that wrote the store.
  mutating func metadata(of store: PersistentStore) throws {
    let metadata = store.metadata
    raw("{\"metadata\":")
    raw(JSONText.member("identifier", isFirst: true))
    try string(metadata.identifier)
    raw(JSONText.member("versionIdentifiers", isFirst: false))
    try list(metadata.versionIdentifiers.sorted { $0.precedesInCodeUnits($1) }) { try $0.string($1) }
    raw(JSONText.member("versionHashes", isFirst: false))
    try object(metadata.versionHashes) { try $0.string($1.hexadecimal) }
    raw(JSONText.member("applicationValues", isFirst: false))
    try object(metadata.applicationValues) { try $0.propertyList($1) }
    raw("}}\n")
  }

  private mutating func propertyList(_ value: PropertyList) throws {
    switch value {
    case .string(let text): try string(text)
    case .integer(let number): integer(number)
    case .real(let number): double(number)
    case .boolean(let flag): bool(flag)
    case .unsigned(let number): raw(String(number))
    case .uid(let index): raw("{\"uid\":\(index)}")
    case .date(let date):
      raw("{\"date\":")
      self.date(date.timeIntervalSinceReferenceDate)
      raw("}")
    case .data(let bytes):
      raw("{\"data\":")
      try bytes.withUnsafeBytes { try data($0) }
      raw("}")
    case .array(let elements): try list(elements) { try $0.propertyList($1) }
    case .dictionary(let entries): try object(entries) { try $0.propertyList($1) }
    }
  }

  private mutating func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) throws {
    raw("[")
    for (offset, element) in elements.enumerated() {
      if offset > 0 { raw(",") }
      try write(&self, element)
    }
    raw("]")
  }

  private mutating func object<Element>(
    _ members: [String: Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) throws {
    raw("{")
    for (offset, member) in members.sorted(by: { $0.key.precedesInCodeUnits($1.key) }).enumerated() {
      if offset > 0 { raw(",") }
      try string(member.key)
      raw(":")
      try write(&self, member.value)
    }
    raw("}")
  }
}
