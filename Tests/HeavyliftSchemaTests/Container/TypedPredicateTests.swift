import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSchema

/// Predicates in Swift: the same objects as the same condition in text.
struct TypedPredicateTests {
  private let context: ModelContext

  init() throws {
    context = try ModelContext(ModelContainer.temporary(for: Schema(Music.types)))
    let album = try context.insert(Music.Album.self) { $0.title = "Kind of Blue" }
    let artist = try context.insert(Music.Artist.self) { $0.name = "Miles Davis" }
    let titles = ["So What", "Freddie Freeloader", "Blue in Green", "All Blues", ""]
    for (index, title) in titles.enumerated() {
      try context.insert(Music.Track.self) {
        ($0.title, $0.number, $0.kind) = (title, index + 1, index == 3 ? .live : .studio)
        if index < 4 { $0.album = album }
        if index % 2 == 0 { $0.artists = [artist] }
        if index == 1 { $0.addedAt = Date(timeIntervalSince1970: 100) }
      }
    }
    try context.save()
  }

  /// Compares a predicate's numbers with those of text; checks that the objects agree in memory, too.
  private func check(_ predicate: Predicate<Music.Track>, _ text: String, _ expected: [Int]) throws {
    let found = try context.fetch(predicate, sortBy: [SortKey(\.number)]).map(\.number)
    #expect(found == expected, "\(text)")
    #expect(try context.fetch(Music.Track.self, where: text, sortBy: [SortKey("number")]).map(\.number) == expected)
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count)
    let all = try context.fetch(Music.Track.self, sortBy: [SortKey("number")])
    #expect(try all.filter { try predicate.evaluate($0) }.map(\.number) == expected, "in memory: \(text)")
  }

  @Test func `comparisons and logic`() throws {
    let least = 3
    try check(#Predicate { $0.number >= least && $0.title != "" }, "number >= 3 AND title != ''", [3, 4])
    try check(#Predicate { $0.number < 2 || $0.number == 5 }, "number < 2 OR number == 5", [1, 5])
    try check(#Predicate { !($0.number > 1) }, "NOT (number > 1)", [1])
    try check(#Predicate { $0.number * 2 + 1 == 7 }, "number * 2 + 1 == 7", [3])
    try check(#Predicate { -$0.number < -3 }, "0 - number < -3", [4, 5])
    try check(#Predicate { (2...3).contains($0.number) }, "number BETWEEN {2, 3}", [2, 3])
    try check(#Predicate { _ in true }, "TRUEPREDICATE", [1, 2, 3, 4, 5])
  }

  @Test func `text`() throws {
    try check(#Predicate { $0.title.contains("Blue") }, "title CONTAINS 'Blue'", [3, 4])
    try check(#Predicate { $0.title.starts(with: "Fred") }, "title BEGINSWITH 'Fred'", [2])
    try check(#Predicate { $0.title.isEmpty }, "title == ''", [5])
    try check(#Predicate { $0.title.count == 7 }, "length:(title) == 7", [1])
  }

  @Test func `optional values`() throws {
    let date = Date(timeIntervalSince1970: 50)
    try check(#Predicate { $0.addedAt == nil }, "addedAt == nil", [1, 3, 4, 5])
    let none: Date? = nil
    try check(#Predicate { ($0.addedAt ?? date) > date }, "addedAt > CAST(50 - 978307200, 'NSDate')", [2])
    try check(#Predicate { $0.album?.title == "Kind of Blue" }, "album.title == 'Kind of Blue'", [1, 2, 3, 4])
    let other = Date(timeIntervalSince1970: 100)
    try check(#Predicate { $0.addedAt != other }, "addedAt != CAST(100 - 978307200, 'NSDate')", [1, 3, 4, 5])
    try check(#Predicate { $0.addedAt != none }, "addedAt != nil", [2])
  }

  @Test func `stored forms, objects and collections`() throws {
    let live = Music.Kind.live
    try check(#Predicate { $0.kind == live }, "kind == 'live'", [4])
    let kinds: Set<Music.Kind> = [.live]
    try check(#Predicate { kinds.contains($0.kind) }, "kind IN {'live'}", [4])
    let numbers = [1, 4]
    try check(#Predicate { numbers.contains($0.number) }, "number IN {1, 4}", [1, 4])
    let artist = try #require(try context.fetch(Music.Artist.self).first).persistentModelID
    try check(
      #Predicate { $0.artists.contains { $0.persistentModelID == artist } }, "ANY artists.name == 'Miles Davis'",
      [1, 3, 5])
    let album = try #require(try context.fetch(Music.Album.self).first).persistentModelID
    try check(#Predicate { $0.album?.persistentModelID == album }, "album != nil", [1, 2, 3, 4])
    try check(#Predicate { $0.artists.isEmpty }, "artists.@count == 0", [2, 4])
    try check(
      #Predicate { $0.artists.contains { $0.name.starts(with: "Miles") } }, "ANY artists.name BEGINSWITH 'Miles'",
      [1, 3, 5])
    try check(
      #Predicate { $0.artists.allSatisfy { $0.name == "Bill Evans" } }, "artists.@count == 0", [2, 4])
  }

  @Test func `a part without a counterpart is an error that names it`() throws {
    func message(_ predicate: Predicate<Music.Track>) -> String {
      do {
        _ = try context.fetch(predicate)
        return "no error"
      } catch { return "\(error)" }
    }
    #expect(
      message(#Predicate { $0.number % 2 == 0 }) == """
        error[schema.predicate]: a '#Predicate' contains operator '%', which has no counterpart in SQL
          write that part as text, with 'where:', or filter the objects after fetching them
        """)
    // A computed property reads a stored one, but is not it.
    #expect(message(#Predicate { $0.loudTitle == "SO WHAT" }).contains("which leads to no stored property"))
    #expect(message(#Predicate { $0.isPlaying }).contains("which leads to no stored property"))
    #expect(message(#Predicate { $0.hasChanges }).contains("which leads to no stored property of 'Music.Track'"))
  }

  @Test func `keys sort by any attribute`() throws {
    let tracks = try context.fetch(Music.Track.self, sortBy: [SortKey(\.kind, .reverse), SortKey(\.title)])
    #expect(tracks.map(\.number) == [5, 3, 2, 1, 4])
    let mistaken: [SortKey<Music.Track>] = [
      SortKey(\.hasChanges), SortKey(\.loudTitle), SortKey(\.title.count), SortKey(\.album?.title), SortKey(\.album),
    ]
    for key in mistaken {
      #expect(throws: Diagnostic.self, "\(key)") { try context.fetch(Music.Track.self, sortBy: [key]) }
    }
  }

  @Test func `a temporary store disappears with its container`() throws {
    var container: ModelContainer? = try ModelContainer.temporary(for: Schema(Music.types))
    let url = try #require(container?.url)
    var other: ModelContext? = try ModelContext(try #require(container))
    try other?.insert(Music.Artist.self) { $0.name = "Bill Evans" }
    try other?.save()
    container = nil
    #expect(FileManager.default.fileExists(atPath: url.path))
    other = nil
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
  }

  @Test func `an object whose creation fails is not created`() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try context.insert(Music.Artist.self) { _ in throw Refusal() }
    }
    try context.save()
    #expect(try context.fetch(Music.Artist.self).count == 1)
  }
}
