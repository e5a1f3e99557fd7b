import Heavylift

extension StageCase {
  private static let albums = "Album\n  name: String\n  tracks ->> Track.album\nTrack\n  album -> Album.tracks"

  /// An album with two tracks, and a track without an album.
  private static func fillAlbums(_ context: ManagedObjectContext) throws {
    let album = try context.insert("Album", ["name": "x"])
    for _ in 0..<2 { try context.insert("Track").setObject(album, forKey: "album") }
    try context.insert("Track", [:])
  }

  private static let tagged = "Tag\n  tracks ->> Track.tags\nTrack\n  tags ->> Tag.tracks"

  /// Two tracks that share a tag, and a tag of its own for one of them.
  private static func fillTags(_ context: ManagedObjectContext) throws {
    let (shared, own) = (try context.insert("Tag"), try context.insert("Tag"))
    let (one, other) = (try context.insert("Track"), try context.insert("Track"))
    for track in [one, other] { try track.add(shared, to: "tags") }
    try other.add(own, to: "tags")
  }

  static let relationships: [StageCase] = [
    StageCase(
      name: "an optional relationship is new", old: "Album\nTrack", new: albums.replacing("  name: String\n", with: ""),
      fill: { try $0.insert("Track", [:]) }),
    StageCase(
      name: "a mandatory relationship is new", old: "Album\n  name: String\nTrack",
      new: albums.replacing("Album.tracks", with: "Album.tracks, mandatory"),
      fill: { context in
        try context.insert("Album", ["name": "x"])
        for _ in 0..<3 { try context.insert("Track", [:]) }
      },
      script: { context in
        let album = try context.all("Album")[0]
        for track in try context.all("Track") { try track.setObject(album, forKey: "album") }
      },
      forgetful: { try $0.all("Track")[0].setObject($0.all("Album")[0], forKey: "album") }),
    StageCase(
      name: "a relationship is removed", old: albums, new: "Album\n  name: String\nTrack\n  title: String",
      fill: fillAlbums,
      script: { context in
        for album in try context.all("Album") {
          for track in try album.objects(forKey: "tracks") { track["title"] = album["name"] }
        }
      }),
    StageCase(
      name: "a relationship has become mandatory", old: albums,
      new: albums.replacing("Album.tracks", with: "Album.tracks, mandatory"), fill: fillAlbums,
      script: { context in
        for track in try context.all("Track") where track[toOne: "album"] == nil {
          try track.setObject(context.insert("Album", ["name": "new"]), forKey: "album")
        }
      }),
    StageCase(
      name: "a relationship has another name", old: albums,
      new: "Album\n  name: String\n  songs ->> Track.record, was tracks\nTrack\n  record -> Album.songs, was album",
      fill: fillAlbums),
    StageCase(
      name: "a to-many relationship is to-one", old: albums,
      new: "Album\n  name: String\n  tracks -> Track.album\nTrack\n  album -> Album.tracks", fill: fillAlbums,
      script: { context in
        for album in try context.all("Album") {
          for track in try album.objects(forKey: "tracks").dropFirst() { try track.setObject(nil, forKey: "album") }
        }
      }),
    StageCase(
      name: "a to-one relationship is to-many", old: albums,
      new: "Album\n  name: String\n  tracks ->> Track.album\nTrack\n  album ->> Album.tracks", fill: fillAlbums),
    StageCase(
      name: "a relationship needs other numbers of objects", old: albums,
      new: "Album\n  name: String\n  tracks ->> Track.album, mandatory, count 1...1\nTrack\n  album -> Album.tracks"
        .replacing("1...1", with: "3...4"), fill: fillAlbums,
      script: { context in
        let album = try context.all("Album")[0]
        for track in try context.all("Track") { try track.setObject(album, forKey: "album") }
      }),
    StageCase(
      name: "tags have only one owner", old: tagged, new: "Tag\n  tracks -> Track.tags\nTrack\n  tags ->> Tag.tracks",
      fill: fillTags,
      script: { context in
        for track in try context.all("Track").dropFirst() {
          for tag in try track.objects(forKey: "tags") where try tag.objects(forKey: "tracks").count > 1 {
            try track.remove(tag, from: "tags")
          }
        }
      }),
    StageCase(
      name: "relationships have become ordered and unordered",
      old: "Tag\n  tracks ->> Track.tags\nTrack\n  tags ->> Tag.tracks, ordered",
      new: "Tag\n  tracks ->> Track.tags, ordered\nTrack\n  tags ->> Tag.tracks", fill: fillTags),
    StageCase(
      name: "a many-to-many relationship has lost its inverse", old: tagged, new: "Tag\nTrack\n  tags ->> Tag",
      fill: fillTags,
      script: { context in
        for track in try context.all("Track").dropFirst() {
          for tag in try track.objects(forKey: "tags").prefix(1) { try track.remove(tag, from: "tags") }
        }
      }),
    StageCase(
      name: "a relationship has got an inverse", old: "Album\nTrack\n  album -> Album",
      new: "Album\n  track -> Track.album\nTrack\n  album -> Album.track",
      fill: { context in
        let album = try context.insert("Album")
        for _ in 0..<2 { try context.insert("Track").setObject(album, forKey: "album") }
      },
      script: { context in try context.all("Track")[1].setObject(nil, forKey: "album") }),
    StageCase(
      name: "an inverse has another name without an identifier", old: albums,
      new: "Album\n  name: String\n  songs ->> Track.album\nTrack\n  album -> Album.songs", fill: fillAlbums),
    StageCase(
      name: "relationships have exchanged their inverses",
      old:
        "Album\n  hits ->> Track.hitOf\n  tracks ->> Track.album\nTrack\n  album -> Album.tracks\n  hitOf -> Album.hits",
      new:
        "Album\n  hits ->> Track.album\n  tracks ->> Track.hitOf\nTrack\n  album -> Album.hits\n  hitOf -> Album.tracks",
      fill: { context in
        let (one, other) = (try context.insert("Album"), try context.insert("Album"))
        let track = try context.insert("Track", [:])
        try track.setObject(one, forKey: "album")
        try track.setObject(other, forKey: "hitOf")
      },
      script: { context in
        for track in try context.all("Track") {
          try track.setObject(track[toOne: "old_album"], forKey: "album")
          try track.setObject(track[toOne: "old_hitOf"], forKey: "hitOf")
        }
      }),
    StageCase(
      name: "a relationship leads to another entity", old: albums,
      new: "Album\n  name: String\nDisc\n  tracks ->> Track.album\nTrack\n  album -> Disc.tracks, mandatory",
      fill: { context in
        try context.insert("Track").setObject(context.insert("Album", ["name": "x"]), forKey: "album")
      },
      script: { context in
        for track in try context.all("Track") { try track.setObject(context.insert("Disc"), forKey: "album") }
      }),
    StageCase(
      name: "a relationship is an attribute", old: albums,
      new: "Album\n  name: String\nTrack\n  album: String, mandatory", fill: fillAlbums,
      script: { context in
        for track in try context.all("Track") { track["album"] = track[toOne: "old_album"]?["name"] ?? "none" }
      }),
    StageCase(
      name: "delete rules differ", old: albums, new: albums.replacing("Track.album", with: "Track.album, cascade"),
      fill: fillAlbums,
      script: { context in for album in try context.all("Album") { try context.delete(album) } }),
  ]
}
