/// A class in a keyed archive, which describes many objects.
struct ArchivedClass: Sendable {
  let name: String
  /// The names of the class and of all superclasses, nearest first.
  let names: [String]
  /// Those that are plain types of Foundation's.
  let plainNames: [String]

  private static let plain: Set = [
    "NSNull", "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSUUID", "NSURL", "NSDecimalNumber",
    "NSArray", "NSSet", "NSOrderedSet", "NSDictionary",
  ]

  init(_ list: PropertyList) {
    let entries = list.dictionary ?? [:]
    let name = entries["$classname"]?.string ?? ""
    self.name = name
    // No real hierarchy is this deep; the limit is for files in which many objects share one very long list.
    names = entries["$classes"]?.array?.prefix(32).compactMap(\.string) ?? [name]
    plainNames = ([name] + names).filter(Self.plain.contains)
  }
}
