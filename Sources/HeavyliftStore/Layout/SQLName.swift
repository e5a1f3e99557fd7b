/// A name as written in SQL: bare if it begins with Z, like all names that Core Data chooses, and unlike any keyword of
/// SQLite; quoted if necessary.
struct SQLName: CustomStringConvertible {
  let name: String

  init(_ name: String) { self.name = name }

  var description: String {
    let isBare =
      (name.utf8.first == UInt8(ascii: "Z"))
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isBare ? name : "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
