import Foundation

/// Names that version hashes cover. A model file that lacks one of them has other version hashes, which is found out
/// without parsing the file.
package struct HashedNames {
  /// The bytes of the names between quotation marks, each with a NUL at its end. The last one that a file lacked comes
  /// first: neighboring versions usually lack the same names.
  private var names: [[UInt8]]

  /// The names that all of the models have.
  package init(commonTo models: [ManagedObjectModel]) {
    var common = models.first?.hashedNames ?? []
    for model in models.dropFirst() { common.formIntersection(model.hashedNames) }
    names = common.filter(Self.isWrittenAsIs).sorted().map { Array("\"\($0)\"\0".utf8) }
  }

  /// True for a name that XML writes as it is, apart from references to characters.
  private static func isWrittenAsIs(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Returns false if the XML file lacks one of the names; true if it has them, or may have them.
  package mutating func mayBe(inXML data: Data) -> Bool {
    var text = [UInt8](data)
    text.append(0)
    return text.withUnsafeBytes { bytes in
      guard Self.isPlain(bytes), let missing = names.firstIndex(where: { !Self.contains($0, bytes) }) else {
        return true
      }
      names.insert(names.remove(at: missing), at: 0)
      return false
    }
  }

  /// True if each name in the file is between quotation marks, byte for byte: there is no UTF-16, no reference to a
  /// character, and no value between apostrophes.
  private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    let isReference = { (place: Int) in text[place + 1] == UInt8(ascii: "#") }
    let startsValue = { (place: Int) in
      text[..<place].last { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "=")
    }
    return !contains(0, UnsafeRawBufferPointer(rebasing: text.dropLast()), where: { _ in true })
      && !contains(UInt8(ascii: "&"), text, where: isReference)
      && !contains(UInt8(ascii: "'"), text, where: startsValue)
  }

  /// Returns true if a text contains another one. Both end with a NUL.
  private static func contains(_ name: [UInt8], _ text: UnsafeRawBufferPointer) -> Bool {
    name.withUnsafeBytes { name in
      guard let text = text.baseAddress, let name = name.baseAddress else { return false }
      return strstr(text.assumingMemoryBound(to: CChar.self), name.assumingMemoryBound(to: CChar.self)) != nil
    }
  }

  private static func contains(
    _ byte: UInt8, _ bytes: UnsafeRawBufferPointer, where condition: (Int) -> Bool
  ) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    var place = 0
    while place < bytes.count, let found = memchr(start + place, Int32(byte), bytes.count - place) {
      place = UnsafeRawPointer(found) - start
      if condition(place) { return true }
      place += 1
    }
    return false
  }
}

extension ManagedObjectModel {
  /// The names that the computed version hashes cover.
  var hashedNames: Set<String> {
    facts.hashedNames {
      var names: Set<String> = []
      // Of several entities with the same name, the first is hashed.
      for (place, entity) in entities.enumerated() where facts.place(ofEntityNamed: entity.name, entities) == place {
        names.insert(entity.name)
        // The names of composite and derived attributes are not hashed.
        for attribute in entity.attributes
        where !attribute.isTransient && !attribute.isDerived && attribute.type != .composite {
          names.insert(attribute.name)
        }
        for relationship in entity.relationships where !relationship.isTransient { names.insert(relationship.name) }
      }
      return names
    }
  }
}
