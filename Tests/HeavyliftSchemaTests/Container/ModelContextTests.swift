import Foundation
import HeavyliftSQLite
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@Suite struct ModelContextTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try Music.container(at: folder.appending("Music.sqlite"))
    context = try ModelContext(container)
  }

  private func execute(_ sql: String) throws {
    let database = try Database(path: container.url.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  @Test func `new objects have the defaults of the model, and values that differ for each object`() throws {
    let (one, two) = (try context.insert(Music.Track.self), try Music.Track("Two", 2, in: context))
    #expect(one.number == 1)
    #expect(one.kind == .studio)
    #expect(one.position == nil)
    #expect(one.id != two.id)
    #expect(one.managedObject["kind"] == "studio")
    #expect(one.title == "")
    #expect(context.failure == nil)
    #expect(throws: ValidationErrors.self) { try context.save() }
    #expect(context.managedObjectContext.insertedObjects == [one.managedObject, two.managedObject])
  }

  @Test func `a context has one typed object for each object, as long as the program holds it`() throws {
    var track: Music.Track? = try Music.Track("One", in: context)
    try context.save()
    let id = try #require(track?.persistentModelID)
    #expect(try context.fetch(Music.Track.self).first === track)
    #expect(try context.existing(id, as: Music.Work.self) === track)
    #expect(try context.existing(id, as: Music.Album.self) == nil)
    weak let released = track
    track?.isPlaying = true
    track = nil
    #expect(released == nil)
    #expect(try context.fetch(Music.Track.self).first?.isPlaying == false)
  }

  @Test func `an unsaved change survives the typed object`() throws {
    try Music.Track("One", in: context).number = 7
    try context.save()
    try context.fetch(Music.Track.self).first?.number = 8
    #expect(try context.fetch(Music.Track.self).first?.number == 8)
    try context.save()
    #expect(try ModelContext(container).fetch(Music.Track.self).first?.number == 8)
  }

  @Test func `both ends of a relationship change`() throws {
    let album = try Music.Album(in: context)
    album.title = "Kind of Blue"
    let tracks = try (1...3).map { try Music.Track("Track \($0)", $0, in: context) }
    album.tracks = [tracks[2], tracks[0]]
    tracks[1].album = album
    #expect(album.tracks == [tracks[2], tracks[0], tracks[1]])
    album.$tracks.remove(tracks[0])
    album.$tracks.insert(tracks[0], at: 0)
    #expect(album.tracks == [tracks[0], tracks[2], tracks[1]])
    #expect(album.$tracks.count == 3)
    #expect(tracks[2].$album.count == 1)
    let artist = try Music.Artist(in: context)
    artist.name = "Miles Davis"
    artist.tracks = Set(tracks)
    tracks[0].$artists.remove(artist)
    #expect(artist.tracks == [tracks[1], tracks[2]])
    try context.save()

    let again = try ModelContext(container)
    let saved = try #require(try again.fetch(Music.Album.self).first)
    #expect(saved.tracks.map(\.title) == ["Track 1", "Track 3", "Track 2"])
    #expect(saved.tracks[0].artists.isEmpty)
    #expect(saved.tracks[1].artists.map(\.name) == ["Miles Davis"])
    try again.delete(saved)
    try again.save()
    #expect(try again.fetch(Music.Track.self).isEmpty)
    #expect(try again.fetch(Music.Artist.self).first?.tracks.isEmpty == true)
  }

  @Test func `objects are fetched by predicates, sorted by key paths, counted and enumerated`() throws {
    let album = try Music.Album(in: context)
    album.title = "B"
    for number in 1...5 { try Music.Track("Track \(number)", number, in: context).album = number < 3 ? album : nil }
    try context.save()
    #expect(
      try context.fetch(Music.Track.self, where: "album == %@", album, sortBy: [SortKey(\.$number, .reverse)])
        .map(\.number) == [2, 1])
    #expect(try context.fetch(Music.Work.self, sortBy: [SortKey("title")]).map(\.title).first == "B")
    var descriptor = try FetchDescriptor<Music.Track>(where: "number > %d", 1, sortBy: [SortKey(\.$title)])
    (descriptor.fetchOffset, descriptor.fetchLimit) = (1, 2)
    #expect(try context.fetch(descriptor).map(\.number) == [3, 4])
    #expect(try context.fetchCount(FetchDescriptor<Music.Work>()) == 6)
    var numbers: [Int] = []
    try context.enumerate(FetchDescriptor<Music.Track>()) { numbers.append($0.number) }
    #expect(numbers == [1, 2, 3, 4, 5])
    #expect(context.managedObjectContext.registeredObjects.count == 1)
    try context.delete(Music.Track.self, where: "number >= 4")
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Music.Track>()) == 3)
  }

  @Test func `a fetched property fetches again each time`() throws {
    let artist = try Music.Artist(in: context)
    artist.name = "Miles Davis"
    for number in 1...3 { try Music.Track("Track \(number)", number, in: context).$artists.insert(artist) }
    #expect(artist.late.map(\.number) == [3, 2])
    try context.save()
    #expect(try ModelContext(container).fetch(Music.Artist.self).first?.late.map(\.number) == [3, 2])
  }

  @Test func `a rollback removes new objects and restores changed ones`() throws {
    let track = try Music.Track("One", in: context)
    try context.save()
    track.title = "Two"
    let new = try Music.Track("Three", in: context)
    context.rollback()
    #expect(track.title == "One")
    #expect(track.hasChanges == false)
    #expect(new.modelContext == nil)
    #expect(context.hasChanges == false)
  }

  @Test func `an object keeps its context alive`() throws {
    var other: ModelContext? = try ModelContext(container)
    let track = try Music.Track("One", in: #require(other))
    other = nil
    #expect(track.modelContext?.hasChanges == true)
  }

  @Test func `a required attribute without a value reads as empty, and nothing can be saved`() throws {
    let track = try Music.Track("One", in: context)
    try context.save()
    try execute("UPDATE ZWORK SET ZTITLE = NULL, ZNUMBER = NULL")
    let other = try ModelContext(container)
    let damaged = try #require(try other.fetch(Music.Track.self).first)
    #expect(damaged.title == "")
    #expect(damaged.number == 0)
    damaged.kind = .live
    #expect(
      message { try other.save() } == """
        error[schema.no-value]: attribute 'title' of Track/p1 has no value, but its type is 'String'
          set it before you read it, or declare it as 'String?'
        """)
    #expect(track.title == "One")
    other.rollback()
    damaged.title = "Two"
    damaged.number = 2
    try other.save()
    #expect(try ModelContext(container).fetch(Music.Track.self).map(\.title) == ["Two"])
  }

  @Test func `a value that is not one of the type is kept, and nothing can be saved`() throws {
    _ = try Music.Track("One", in: context)
    try context.save()
    try execute("UPDATE ZWORK SET ZKIND = 'remix', ZPOSITION = x'00'")
    let other = try ModelContext(container)
    let damaged = try #require(try other.fetch(Music.Track.self).first)
    #expect(damaged.kind == .studio)
    damaged.number = 2
    #expect(
      message { try other.save() } == """
        error[schema.unreadable-value]: attribute 'kind' of Track/p1 holds a string that is not a 'Music.Kind'
          read it as it is: 'managedObject["…"]'; it was perhaps written by another version of 'Music.Kind'
        """)
    other.rollback()
    #expect(damaged.position == nil)
    #expect(
      "\(other.failure as (any Error)?)" == """
        Optional(error[schema.unreadable-value]: attribute 'position' of Track/p1 holds data that is not a \
        'Music.Position?'
          read it as it is: 'managedObject["…"]'; it was perhaps written by another version of 'Music.Position?')
        """)
    #expect(damaged.managedObject["kind"] == "remix")
  }

  @Test func `a value that cannot be encoded is an error of the next save`() throws {
    let track = try Music.Track("One", in: context)
    track.position = Music.Position(disc: 1, seconds: .infinity)
    #expect(
      message { try context.save() } == """
        error[schema.unstorable-value]: attribute 'position' of Track/t1 was set to a value that cannot be encoded
          set a value that its type can encode: JSON, for example, has no infinity
        """)
  }

  @Test func `violations of the rules of the schema are reported together`() throws {
    for _ in 0..<2 { try Music.Artist(in: context).name = "Miles Davis" }
    _ = try Music.Album(in: context)
    #expect(throws: ValidationErrors.self) { try context.save() }
    #expect(
      message { _ = try context.insert(Music.Work.self) } == """
        error[object.abstract-entity]: entity 'Work' is abstract
          insert an object of one of its sub-entities
        """)
  }

  @Test func `classes and objects from elsewhere are refused`() throws {
    #expect(
      message { _ = try context.insert(FreezeRay.V1.User.self) } == """
        error[schema.foreign-class]: class 'FreezeRay.V1.User' is not in the container's schema
          available: 'Music.Album', 'Music.Artist', 'Music.Track', 'Music.Work'
        """)
    let other = try ModelContext(container)
    let track = try Music.Track("One", in: other)
    #expect(
      message { _ = try context.entity(for: other.managedObjectContext.insert("Artist")) } == """
        error[schema.foreign-object]: object Artist/t2 does not belong to this context
          use objects of the context's 'managedObjectContext'
        """)
    let album = try Music.Album(in: context)
    album.tracks = [track]
    #expect(
      message { try context.save() } == """
        error[object.other-context]: object Track/t1 belongs to another context
          use the object with the same objectID from this context
        """)
  }

  @Test func `a container opened for reading saves nothing`() throws {
    let reader = try ModelContext(ModelContainer(for: container.schema, at: container.url, isReadOnly: true))
    _ = try Music.Artist(in: reader)
    #expect(
      message { try reader.save() } == """
        error[object.read-only]: the store was opened read-only
          open it with mode .readWrite to save changes
        """)
    let missing = folder.appending("missing.sqlite")
    #expect(
      message { _ = try ModelContainer(for: container.schema, at: missing, isReadOnly: true) } == """
        error[store.not-found]: store '\(missing.path)' does not exist
          check the path
        """)
  }

  @Test func `boxed values are read and set by name`() throws {
    let track = try Music.Track("One", in: context)
    try track.managedObject.setBoxedValue(Music.Position(disc: 2, seconds: nil), forKey: "position")
    #expect(track.position == Music.Position(disc: 2, seconds: nil))
    track.position = Music.Position(disc: 3, seconds: 1.5)
    #expect(
      try track.managedObject.unboxedValue(of: Music.Position.self, forKey: "position")
        == Music.Position(disc: 3, seconds: 1.5))
    try track.managedObject.setBoxedValue(nil as Music.Position?, forKey: "position")
    #expect(try track.managedObject.unboxedValue(of: Music.Position.self, forKey: "position") == nil)
    try track.managedObject.setArchived(["a"] as NSArray, forKey: "position")
    #expect(
      message { _ = try track.managedObject.unboxedValue(of: Music.Position.self, forKey: "position") } == """
        error[schema.not-boxed]: the value is an archive of something else than data
          read it with 'archive(forKey:)'
        """)
  }
}
