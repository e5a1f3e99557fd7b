import Heavylift

extension StageCase {
  static let entities: [StageCase] = [
    StageCase(
      name: "an entity is new", old: "Track\n  title: String",
      new: "Album\n  name: String, mandatory\n  unique name\nTrack\n  title: String",
      fill: { try $0.insert("Track", ["title": "a"]) },
      script: { try $0.insert("Album", ["name": "x"]) }),
    StageCase(
      name: "an entity is removed",
      old: "Album\n  name: String\n  tracks ->> Track.album, cascade\nTrack\n  album -> Album.tracks\n  title: String",
      new: "Track\n  title: String",
      fill: { context in
        let album = try context.insert("Album", ["name": "x"])
        for _ in 0..<2 { try context.insert("Track").setObject(album, forKey: "album") }
      },
      script: { context in
        for album in try context.all("Album") {
          for track in try album.objects(forKey: "tracks") { track["title"] = album["name"] }
          try context.delete(album)
        }
      }),
    StageCase(
      name: "an entity has another name",
      old: "Album\n  tracks ->> Song.album\nSong\n  album -> Album.tracks\n  name: String",
      new:
        "Album\n  tracks ->> Track.album\nTrack, was Song\n  album -> Album.tracks\n  title: String, mandatory, was name",
      fill: { try $0.insert("Song").setObject($0.insert("Album"), forKey: "album") },
      script: { for track in try $0.all("Track") { track["title"] = "a" } }),
    StageCase(
      name: "two hierarchies have become one", old: "Film\n  title: String\nTrack\n  title: String",
      new: "Film: Medium\nMedium\n  title: String\nTrack: Medium\n  rating: Integer 16, mandatory",
      fill: { context in
        for title in ["f", "g"] { try context.insert("Film", ["title": .string(title)]) }
        try context.insert("Track", ["title": "t"])
      },
      script: { context in
        for medium in try context.all("Medium") { medium["title"] = .string("\(medium["title"].string ?? "")!") }
        for track in try context.all("Track") { track["rating"] = 3 }
      }),
    StageCase(
      name: "entities have left their hierarchy, and attributes have moved",
      old: "Film: Medium\n  minutes: Double\nMedium\n  code: String\n  title: String\nTrack: Medium\n  minutes: Double",
      new: "Film: Medium\n  title: String\nMedium\n  minutes: Double\nTrack\n  minutes: Double\n  title: String",
      fill: { context in
        for name in ["Film", "Medium", "Track"] { try context.insert(name, ["title": .string(name), "code": "c"]) }
        for name in ["Film", "Track"] { try context.insert(name, ["minutes": 5]) }
      },
      script: { for track in try $0.all("Track") { track["title"] = track["code"] } }),
    StageCase(
      name: "an entity has become abstract", old: "Medium\n  title: String\nTrack: Medium",
      new: "Film: Medium\nMedium, abstract\n  title: String\nTrack: Medium",
      fill: { context in
        for name in ["Medium", "Medium", "Track"] { try context.insert(name, ["title": .string(name)]) }
      },
      script: { context in
        for medium in try context.all("Medium") where medium.entity.name == "Medium" {
          try context.insert("Film", ["title": medium["title"]])
          try context.delete(medium)
        }
      }),
    StageCase(
      name: "an entity is no longer abstract", old: "Medium, abstract\n  title: String\nTrack: Medium",
      new: "Medium\n  title: String\nTrack: Medium",
      fill: { try $0.insert("Track", ["title": "a"]) },
      script: { try $0.insert("Medium", ["title": "b"]) }),
    StageCase(
      name: "an entity between two others is removed",
      old: "Item\n  title: String\nMedium: Item\n  code: String\nTrack: Medium\n  rating: Integer 16",
      new: "Item\n  title: String\nTrack: Item\n  rating: Integer 16",
      fill: { context in
        for name in ["Item", "Medium", "Track"] { try context.insert(name, ["title": .string(name)]) }
        for name in ["Medium", "Track"] { try context.insert(name, ["code": .string(name)]) }
      },
      script: { for track in try $0.all("Track") { track["title"] = track["code"] } }),
    StageCase(
      name: "an entity has the name of a removed one", old: "Song\n  name: String\nTrack\n  number: Integer 16",
      new: "Track, was Song\n  name: String",
      fill: { context in
        try context.insert("Song", ["name": "a"])
        try context.insert("Track", ["number": 1])
      },
      script: { context in
        for old in try context.all("old_Track") { try context.insert("Track", ["name": .string("\(old["number"])")]) }
      }),
  ]
}
