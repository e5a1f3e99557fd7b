import Foundation
import Heavylift

extension StageCase {
  static let attributes: [StageCase] = [
    StageCase(
      name: "nothing", old: "Track\n  title: String", new: "Track\n  title: String",
      fill: { try $0.insert("Track", ["title": "a"]) },
    ),
    StageCase(
      name: "an optional attribute and one with a default are new", old: "Track\n  title: String",
      new: "Track\n  added: Date\n  rating: Integer 16, mandatory, default 3\n  title: String",
      fill: { try $0.insert("Track", ["title": "a"]) },
    ),
    StageCase(
      name: "a mandatory attribute is new", old: "Track\n  title: String",
      new: "Track\n  added: Date, mandatory\n  title: String",
      fill: { context in
        for title in ["a", "b", "c"] { try context.insert("Track", ["title": .string(title)]) }
      },
      script: { for track in try $0.all("Track") { track["added"] = .date(Date(timeIntervalSinceReferenceDate: 1)) } },
      forgetful: { try $0.all("Track")[0]["added"] = .date(Date(timeIntervalSinceReferenceDate: 1)) }),
    StageCase(
      name: "an attribute is removed",
      old: "Track\n  seconds: Integer 32, mandatory, default 5, min 1\n  title: String",
      new: "Track\n  title: String",
      fill: { try $0.insert("Track", ["title": "a", "seconds": 9]) },
      script: { for track in try $0.all("Track") { track["title"] = .string("\(track["seconds"])") } }),
    StageCase(
      name: "an attribute has become mandatory", old: "Track\n  title: String",
      new: "Track\n  title: String, mandatory",
      fill: {
        try $0.insert("Track", ["title": "a"]); try $0.insert("Track", [:])
      },
      script: { for track in try $0.all("Track") where track["title"].isNull { track["title"] = "untitled" } }),
    StageCase(
      name: "an attribute with a default has become mandatory", old: "Track\n  title: String",
      new: "Track\n  title: String, mandatory, default untitled",
      fill: {
        try $0.insert("Track", ["title": "a"]); try $0.insert("Track", [:])
      }),
    StageCase(
      name: "an attribute has become optional", old: "Track\n  title: String, mandatory", new: "Track\n  title: String",
      fill: { try $0.insert("Track", ["title": "a"]) }),
    StageCase(
      name: "an attribute has another type", old: "Track\n  added: String", new: "Track\n  added: Date",
      fill: { try $0.insert("Track", ["added": "7"]) },
      script: { context in
        for track in try context.all("Track") {
          track["added"] = .date(Date(timeIntervalSinceReferenceDate: Double(track["old_added"].string ?? "") ?? 0))
        }
      }),
    StageCase(
      name: "a mandatory attribute has another type and a default", old: "Track\n  rating: String",
      new: "Track\n  rating: Integer 16, mandatory, default 3",
      fill: { context in
        for rating in ["1", "2"] { try context.insert("Track", ["rating": .string(rating)]) }
        try context.insert("Track", [:])
      },
      script: { context in
        for track in try context.all("Track") {
          if let rating = track["old_rating"].string.flatMap({ Int64($0) }) { track["rating"] = .integer(rating) }
        }
        try context.insert("Track", [:])
      }),
    StageCase(
      name: "an attribute has a wider type", old: "Track\n  seconds: Integer 16",
      new: "Track\n  seconds: Integer 64",
      fill: { try $0.insert("Track", ["seconds": 9]) }),
    StageCase(
      name: "an attribute has another name", old: "Track\n  name: String", new: "Track\n  title: String, was name",
      fill: { try $0.insert("Track", ["name": "a"]) }),
    StageCase(
      name: "an attribute leaves its name to a relationship", old: "Artist\n  name: String\nTrack\n  artist: String",
      new: "Artist\n  name: String\n  tracks ->> Track.artist\n"
        + "Track\n  artist -> Artist.tracks\n  artistName: String, was artist",
      fill: { try $0.insert("Track", ["artist": "a"]) }),
    StageCase(
      name: "a mandatory attribute has another name and type", old: "Track\n  length: String",
      new: "Track\n  seconds: Double, mandatory, was length",
      fill: { try $0.insert("Track", ["length": "1.5"]) },
      script: { context in
        for track in try context.all("Track") {
          track["seconds"] = .double(Double(track["old_length"].string ?? "") ?? 0)
        }
      }),
    StageCase(
      name: "a transient attribute is stored", old: "Track\n  key: String, transient\n  title: String",
      new: "Track\n  key: String, mandatory\n  title: String",
      fill: { try $0.insert("Track", ["title": "a"]) },
      script: { for track in try $0.all("Track") { track["key"] = track["title"] } }),
    StageCase(
      name: "a stored attribute is transient", old: "Track\n  key: String\n  title: String",
      new: "Track\n  key: String, transient\n  title: String",
      fill: { try $0.insert("Track", ["key": "k"]) },
      script: { for track in try $0.all("Track") { track["title"] = track["old_key"] } }),
    StageCase(
      name: "attributes have stricter and looser rules",
      old: "Track\n  code: String, longest 9\n  rating: Integer 16, min 1, max 5\n  seconds: Integer 16, max 9",
      new: "Track\n  code: String, shortest 2, longest 3, matches [A-Z]+\n  rating: Integer 16, min 0, max 4\n"
        + "  seconds: Integer 16, max 99",
      fill: { context in
        try context.insert("Track", ["code": "abcd", "rating": 5, "seconds": 1])
        try context.insert("Track", ["code": "x", "rating": 5, "seconds": 1])
      },
      script: { for track in try $0.all("Track") { track["code"] = "ABC"; track["rating"] = 4 } }),
    StageCase(
      name: "values must be unique", old: "Track\n  album: String\n  title: String\n  unique album",
      new: "Track\n  album: String\n  title: String\n  unique album\n  unique title",
      fill: { context in
        for album in ["x", "y", "z"] { try context.insert("Track", ["album": .string(album), "title": "a"]) }
      },
      script: { context in for track in try context.all("Track").dropFirst() { try context.delete(track) } }),
    StageCase(
      name: "defaults differ", old: "Track\n  rating: Integer 16, default 1",
      new: "Track\n  rating: Integer 16, default 2",
      fill: { try $0.insert("Track", ["rating": 9]) }),
    StageCase(
      name: "a composite type has other elements",
      old: "Track\n  place: Place\ncomposite Place\n  city: String\n  number: String",
      new: "Track\n  place: Place\ncomposite Place\n  city: String\n  number: Integer 16",
      fill: { try $0.insert("Track", ["place": .composite(["city": "Rome", "number": "7"])]) },
      script: { context in
        for track in try context.all("Track") {
          guard case .composite(let old) = track["old_place"] else { continue }
          track["place"] = .composite(["city": old["city"] ?? .null, "number": 7])
        }
      }),
    StageCase(
      name: "a composite type has stricter rules",
      old: "Track\n  place: Place\ncomposite Place\n  city: String",
      new: "Track\n  place: Place\ncomposite Place\n  city: String, mandatory, longest 3\n  zip: String",
      fill: { try $0.insert("Track", ["place": .composite(["city": "Rome"])]) },
      script: { for track in try $0.all("Track") { track["place"] = .composite(["city": "Rom", "zip": "1"]) } }),
    StageCase(
      name: "an attribute is derived", old: "Track\n  key: String\n  title: String",
      new: "Track\n  key: String, derived title\n  title: String",
      fill: { try $0.insert("Track", ["key": "k", "title": "a"]) },
      script: { for track in try $0.all("Track") { track["title"] = track["old_key"] } }),
    StageCase(
      name: "an attribute is a relationship", old: "Track\n  artist: String",
      new: "Artist\n  name: String\n  tracks ->> Track.artist\nTrack\n  artist -> Artist.tracks, mandatory",
      fill: { context in
        for name in ["Ana", "Ana", "Bo"] { try context.insert("Track", ["artist": .string(name)]) }
      },
      script: { context in
        var artists: [String: ManagedObject] = [:]
        for track in try context.all("Track") {
          let name = track["old_artist"].string ?? ""
          let artist = try artists[name] ?? context.insert("Artist", ["name": .string(name)])
          artists[name] = artist
          try track.setObject(artist, forKey: "artist")
        }
      }),
  ]
}
