import HeavyliftTestSupport

/// Generates predicates on tracks, mostly with matching kinds, and occasionally with others.
struct MusicTexts {
  enum Kind: CaseIterable {
    case number, text, date, uuid, object, numbers, texts, objects, other
  }

  var generator: SeededGenerator
  /// The percentage of parts of a kind other than the wanted one.
  var wildness = 4

  mutating func predicate(depth: Int) -> String {
    if depth > 0 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return "(\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1)))"
      case 1: return "NOT (\(predicate(depth: depth - 1)))"
      default: break
      }
    }
    return comparison(depth: depth)
  }

  mutating func comparison(depth: Int) -> String {
    let ordered = ["==", "!=", "<", "<=", ">", ">="]
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1: return two(depth, .number, ordered)
    case 2: return two(depth, .text, ordered + ["BEGINSWITH", "ENDSWITH[c]", "CONTAINS[cd]", "LIKE", "IN"])
    case 3: return "\(expression(.text, depth)) MATCHES 'a.*|[0-9]+'"
    case 4: return two(depth, .date, ordered)
    case 5: return two(depth, .uuid, ordered)
    case 6: return "\(pick(["ANY", "ALL", "NONE"])) \(expression(.numbers, depth)) > \(expression(.number, depth))"
    case 7: return "\(pick(["ANY", "ALL"])) \(expression(.texts, depth)) LIKE \(expression(.text, depth))"
    case 8: return "\(expression(.number, depth)) BETWEEN {\(expression(.number, 0)), \(expression(.number, 0))}"
    case 9: return "\(expression(.text, depth)) IN \(expression(.texts, depth))"
    case 10: return "\(expression(.objects, depth)) CONTAINS \(expression(.object, depth))"
    default: return two(depth, .object, ["==", "!="])
    }
  }

  private mutating func two(_ depth: Int, _ kind: Kind, _ operators: [String]) -> String {
    "\(expression(kind, depth)) \(pick(operators)) \(expression(kind, depth))"
  }

  mutating func expression(_ wanted: Kind, _ depth: Int) -> String {
    var kind = wanted
    if Int.random(in: 0..<100, using: &generator) < wildness {
      kind = Kind.allCases.randomElement(using: &generator) ?? kind
    }
    return depth == 0 || Bool.random(using: &generator) ? leaf(kind) : branch(kind, depth - 1)
  }

  private mutating func leaf(_ kind: Kind) -> String {
    switch kind {
    case .number:
      pick([
        "seconds", "rating", "price", "loudness", "isLive", "album.year", "artists.@count", "7", "0.5", "YES",
        "position.x",
        "album.tracks.@sum.seconds", "artists.@max.albums.@count", "title.length", "genres[SIZE]", "nil",
      ])
    case .text:
      pick(["title", "album.name", "'a'", "'12'", "genres[FIRST].name", "artists.@min.name", "position.x.stringValue"])
    case .date: pick(["added", "now()", "CAST(5, 'NSDate')", "album.tracks.@max.added"])
    case .uuid: pick(["guid", "CAST('00000000-0000-0000-0000-000000000000', 'NSUUID')"])
    case .object: pick(["album", "genres[LAST]", "SELF", "album.cover", "nil"])
    case .numbers:
      pick(["album.tracks.seconds", "{1, 2.5, rating}", "album.tracks.price", "artists.@unionOfObjects.albums.@count"])
    case .texts:
      pick(["artists.name", "genres.name", "{'a', title}", "artists.@distinctUnionOfSets.albums.name", "{}"])
    case .objects: pick(["artists", "genres", "album.tracks", "artists.@distinctUnionOfSets.albums", "{album}"])
    case .other: pick(["image", "page", "cover", "position", "objectID", "tilte", "$x", "artists.albums"])
    }
  }

  private mutating func branch(_ kind: Kind, _ depth: Int) -> String {
    switch kind {
    case .number:
      switch Int.random(in: 0..<7, using: &generator) {
      case 0, 1:
        return
          "(\(expression(.number, depth)) \(pick(["+", "-", "*", "/", "**", "&", "|", "<<"])) \(expression(.number, depth)))"
      case 2: return "\(pick(["sqrt", "floor", "abs", "onesComplement"])):(\(expression(.number, depth)))"
      case 3: return "\(pick(["sum", "count", "average", "max", "stddev", "median"])):(\(expression(.numbers, depth)))"
      case 4: return "length:(\(expression(.text, depth)))"
      case 5: return "CAST(\(expression(.text, depth)), 'NSNumber')"
      default: return "(\(expression(.date, depth)) - \(expression(.date, depth)))"
      }
    case .text:
      return Bool.random(using: &generator)
        ? "\(pick(["uppercase", "lowercase", "canonical"])):(\(expression(.text, depth)))"
        : "FUNCTION(\(expression(.text, depth)), 'stringByAppendingString:', \(expression(.text, depth)))"
    case .date: return "(\(expression(.date, depth)) + \(expression(.number, depth)))"
    case .uuid: return "CAST(\(expression(.uuid, depth)), 'NSUUID')"
    case .object, .other: return leaf(kind)
    case .numbers:
      return
        "{\(expression(.number, depth)), TERNARY(\(comparison(depth: 0)), \(expression(.number, 0)), \(expression(.number, 0)))}"
    case .texts:
      return "(\(expression(.texts, depth)) \(pick(["UNION", "INTERSECT", "MINUS"])) \(expression(.texts, depth)))"
    case .objects:
      return
        "SUBQUERY(\(pick(["artists", "album.tracks.@distinctUnionOfSets.artists"])), $a, $a.name == \(expression(.text, depth)))"
    }
  }

  private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
}
