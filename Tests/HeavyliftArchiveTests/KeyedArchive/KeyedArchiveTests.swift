import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct KeyedArchiveTests {
  static let values: [Value] =
    [
      .null, .bool(true), .bool(false), .integer(0), .integer(-7), .integer(.max), .double(0.5), .string(""),
      .string("Grüße"), .string("$null"), .data(Data()), .data(Data([1, 2, 3])),
      .date(Date(timeIntervalSinceReferenceDate: 1.5)),
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      .uri("https://example.org/a?b#c"), .decimal(0), .decimal(1), .decimal(-1), .decimal(Decimal(65536)),
    ]
    + [
      "9.99", "-0.001", "1e-100", "12345678901234567890123456789012345678",
      "-99999999999999999999999999999999999999e10",
      "340282366920938463463374607431768211455",
    ].compactMap { Decimal(string: $0).map { .decimal($0) } }

  @Test(arguments: values.indices)
  func `a value reads back`(index: Int) throws {
    var writer = KeyedArchiveWriter()
    let reference = writer.add(Self.values[index])
    let archive = try KeyedArchive(data: writer.archive(root: reference))
    #expect(archive.root?.value == Self.values[index])
  }

  @Test func `what is equal is archived once`() throws {
    var writer = KeyedArchiveWriter()
    #expect(writer.add(.string("a")) == writer.add(.string("a")))
    #expect(writer.add(.integer(1)) != writer.add(.bool(true)))
  }

  @Test func `collections read back`() throws {
    var writer = KeyedArchiveWriter()
    let one = writer.add(1)
    let two = writer.add("two")
    let list = writer.addArray([one, two, KeyedArchiveWriter.null], isMutable: true)
    let set = writer.addSet([one])
    let root = writer.addDictionary([(one, list), (two, set)])
    let dictionary = try #require(KeyedArchive(data: writer.archive(root: root)).root?.dictionary)
    #expect(dictionary.map(\.key.value) == [1, "two"])
    #expect(dictionary[0].value.elements?.map(\.value) == [1, "two", .null])
    #expect(dictionary[1].value.elements?.map(\.value) == [1])
    guard case .array = dictionary[0].value, case .set = dictionary[1].value else {
      Issue.record("a mutable array is an array, a set is a set")
      return
    }
    #expect(dictionary.byName.keys.sorted() == ["two"])
  }

  @Test(arguments: [
    ("NSDictionary", "searchMapping"), ("NSKnownKeysDictionary1", "searchMapping"), ("NSURL", "NS.relative"),
  ]) func `an object that is a part of itself has no value`(className: String, key: String) throws {
    var writer = KeyedArchiveWriter()
    let circle = writer.reserve()
    let classNames = [className] + (className == "NSKnownKeysDictionary1" ? ["NSDictionary"] : []) + ["NSObject"]
    writer.define(circle, classNames, [key: circle.field])
    let archive = try KeyedArchive(data: writer.archive(root: circle))
    #expect(archive.root?.object?.className == className)
  }

  @Test func `objects that refer to each other in circles are walked step by step`() throws {
    var writer = KeyedArchiveWriter()
    let parent = writer.reserve()
    let child = writer.reserve()
    let circle = writer.reserve()
    writer.define(parent, ["Parent", "Person", "NSObject"], ["child": child.field, "age": .integer(40)])
    writer.define(child, ["Child", "Person", "NSObject"], ["parent": parent.field, "self": child.field])
    writer.define(circle, ["NSArray", "NSObject"], ["NS.objects": .array([circle.field, parent.field])])
    let root = writer.addObject(["Family", "NSObject"], ["first": parent.field, "circle": circle.field])
    let family = try #require(KeyedArchive(data: writer.archive(root: root)).root?.object)
    let first = try #require(family["first"]?.object)
    #expect(first.className == "Parent")
    #expect(first.classNames == ["Parent", "Person", "NSObject"])
    #expect(first.isKind(of: "Person") && !first.isKind(of: "Child"))
    #expect(first.keys == ["age", "child"])
    #expect(first["age"]?.integer == 40)
    #expect(first["missing"] == nil)
    let back = try #require(first["child"]?.object?["parent"]?.object)
    #expect(back.isSame(as: first))
    let circling = try #require(family["circle"]?.elements)
    #expect(circling[0].elements?[0].elements?[1].object?.isSame(as: first) == true)
  }

  @Test func `a subclass of a plain class is read as what it is`() throws {
    var writer = KeyedArchiveWriter()
    let text = writer.addObject(["MyString", "NSMutableString", "NSString", "NSObject"], ["NS.string": .string("a")])
    #expect(try KeyedArchive(data: writer.archive(root: text)).root?.string == "a")
  }

  @Test func `ordered sets are read in both of their forms`() throws {
    for isNumbered in [true, false] {
      var writer = KeyedArchiveWriter()
      let elements = [writer.add("b"), writer.add("a")]
      let set = writer.addObject(
        ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"],
        isNumbered
          ? ["NS.object.0": elements[0].field, "NS.object.1": elements[1].field]
          : ["NS.objects": .array(elements.map(\.field))])
      let read = try KeyedArchive(data: writer.archive(root: set)).root
      #expect(read?.elements?.map(\.string) == ["b", "a"])
      guard case .orderedSet? = read else {
        Issue.record("an ordered set is neither an array nor a set")
        return
      }
    }
  }

  @Test func `a URL is joined with its base`() throws {
    var writer = KeyedArchiveWriter()
    let base = writer.add(.uri("https://example.org/books/"))
    let relative = writer.add("kafka.html")
    let url = writer.addObject(
      ["NSURL", "NSObject"], ["NS.base": base.field, "NS.relative": relative.field])
    #expect(
      try KeyedArchive(data: writer.archive(root: url)).root?.value == .uri("https://example.org/books/kafka.html"))
  }

  @Test func `objects of Foundation that lack their contents stay objects`() throws {
    for name in [
      "NSDate", "NSUUID", "NSURL", "NSDecimalNumber", "NSArray", "NSSet", "NSDictionary", "NSString", "NSData",
    ] {
      var writer = KeyedArchiveWriter()
      let object = writer.addObject([name, "NSObject"], [:])
      #expect(try KeyedArchive(data: writer.archive(root: object)).root?.object?.className == name)
    }
  }

  /// Older systems number the elements of an ordered set.
  @Test func `an object with many keys is read`() throws {
    var writer = KeyedArchiveWriter()
    let fields = (0..<2_000).map { ("NS.object.\($0)", PropertyList.integer(Int64($0))) }
    let root = writer.addObject(["NSOrderedSet", "NSObject"], Dictionary(uniqueKeysWithValues: fields))
    let archive = try KeyedArchive(data: writer.archive(root: root))
    #expect(archive.root?.elements?.compactMap(\.integer) == (0..<2_000).map { Int64($0) })
  }

  @Test func `the XML form of an archive is read too`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <key>$objects</key><array><string>$null</string><string>Hello</string></array>
      </dict></plist>
      """
    #expect(try KeyedArchive(data: Data(text.utf8)).root?.string == "Hello")
  }

  static let malformed: [(PropertyList, String)] = [
    (.array([]), "is a property list but not a keyed archive: it is not a dictionary"),
    (archive(["$archiver": nil]), "is a property list but not a keyed archive: it lacks '$archiver'"),
    (archive(["$archiver": .string("Mine")]), "is a property list but not a keyed archive: it was written by 'Mine'"),
    (archive(["$version": nil]), "is a property list but not a keyed archive: it lacks '$version'"),
    (
      archive(["$version": .integer(1)]),
      "is a property list but not a keyed archive: its version is 1, not 100000"
    ),
    (archive(["$objects": nil]), "is a property list but not a keyed archive: it lacks '$objects'"),
    (archive(["$objects": .array([])]), "is a property list but not a keyed archive: it lacks '$objects'"),
    (archive(["$top": nil]), "is a property list but not a keyed archive: it lacks '$top'"),
    (archive(["$top": .dictionary(["root": .uid(9)])]), "is damaged: it refers to object 9, but its object count is 1"),
    (archive(["$objects": .array([.array([])])]), "is damaged: object 0 of the archive is a bare array"),
    (
      archive(["$objects": .array([.string("$null"), .dictionary(["a": .uid(0)])])]),
      "is damaged: object 1 of the archive has no class"
    ),
    (
      archive(["$objects": .array([.string("$null"), .dictionary(["$class": .uid(0)])])]),
      "is damaged: object 1 of the archive has no class"
    ),
  ]

  @Test(arguments: malformed.indices)
  func `bytes that are not an archive are rejected`(index: Int) {
    let error = #expect(throws: Diagnostic.self) {
      try KeyedArchive(data: Self.malformed[index].0.binaryData, subject: "'a.mom'")
    }
    #expect(error?.problem == "'a.mom' \(Self.malformed[index].1)")
  }

  private static func archive(_ changes: [String: PropertyList?]) -> PropertyList {
    var entries: [String: PropertyList] = [
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(0)]), "$objects": .array([.string("$null")]),
    ]
    for (key, value) in changes { entries[key] = value }
    return .dictionary(entries)
  }

  @Test func `a reference at the top that leads nowhere else is nil`() throws {
    // Two references that lead to each other, which no archiver writes.
    let list = Self.archive(["$objects": .array([.uid(1), .uid(0)])])
    #expect(try KeyedArchive(data: list.binaryData).root?.isNull == true)
  }

  @Test func `Foundation's own archives are read`() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: ["title": "The Trial", "year": NSNumber(value: 1925)] as NSDictionary,
      requiringSecureCoding: false)
    let root = try #require(KeyedArchive(data: data).root?.dictionary?.byName)
    #expect(root["title"]?.string == "The Trial")
    #expect(root["year"]?.integer == 1925)
  }

  @Test func `Foundation reads what was written`() throws {
    var writer = KeyedArchiveWriter()
    let root = writer.addDictionary([
      (writer.add("title"), writer.add("The Trial")), (writer.add("year"), writer.add(1925)),
    ])
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [NSDictionary.self, NSString.self, NSNumber.self], from: writer.archive(root: root))
        as? [String: Any])
    #expect(read["title"] as? String == "The Trial")
    #expect(read["year"] as? Int == 1925)
  }
}
