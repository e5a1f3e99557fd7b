/// A class in a keyed archive, which describes many objects.
struct ArchivedClass: Sendable {
  /// Foundation's plain types, whose objects become values.
  enum Plain: String {
    case null = "NSNull"
    case string = "NSString"
    case mutableString = "NSMutableString"
    case data = "NSData"
    case mutableData = "NSMutableData"
    case date = "NSDate"
    case uuid = "NSUUID"
    case url = "NSURL"
    case decimal = "NSDecimalNumber"
    case array = "NSArray"
    case set = "NSSet"
    case orderedSet = "NSOrderedSet"
    case dictionary = "NSDictionary"
  }

  let name: String
  /// The names of the class and of all superclasses, nearest first.
  let names: [String]
  /// The plain types among them.
  let plainTypes: [Plain]

  init(_ entries: PropertyListPart) {
    let name = entries["$classname"]?.string ?? ""
    self.name = name
    // No real hierarchy is this deep; the limit is for files in which many objects share one very long list.
    names = entries["$classes"]?.array?.prefix(32).compactMap(\.string) ?? [name]
    plainTypes = ([name] + names).compactMap(Plain.init)
  }
}
