import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@Suite struct ConcurrencyTests {
  private func requireSendable<Checked: Sendable>(_: Checked.Type) {}

  @Test func `schemas, versions, containers, identifiers and sort keys can be sent to other threads`() {
    requireSendable(Schema.self)
    requireSendable(Schema.Version.self)
    requireSendable(StorageProfile.self)
    requireSendable(ModelContainer.self)
    requireSendable(ManagedObjectID.self)
    requireSendable(SortKey<Music.Track>.self)
    requireSendable(AttributeOption.self)
    requireSendable(Unique.self)
    requireSendable(Index.self)
    requireSendable(Entity.Type.self)
  }

  @Test func `one plan migrates stores on several threads`() async throws {
    let folder = try TemporaryFolder()
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<3 {
        group.addTask {
          let url = folder.appending("Notes\(number).sqlite")
          let old = try ModelContext(ModelContainer(for: Notes.V1.self, at: url))
          try old.insert(Notes.V1.Note.self).text = "\(number)"
          try old.save()
          try old.managedObjectContext.store.close()
          let container = try ModelContainer(for: Notes.V4.self, migrationPlan: NotesPlan.self, at: url)
          return try ModelContext(container).fetch(Notes.V4.Note.self).count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [1, 1, 1])
  }

  @Test func `several threads create one container`() async throws {
    for round in 0..<10 {
      let folder = try TemporaryFolder()
      let url = folder.appending("New\(round).sqlite")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let context = try ModelContext(ModelContainer(for: Notes.V1.self, at: url))
            try context.insert(Notes.V1.Note.self).text = "\(number)"
            try context.save()
          }
        }
        try await group.waitForAll()
      }
      let context = try ModelContext(ModelContainer(for: Notes.V1.self, at: url))
      #expect(Set(try context.fetch(Notes.V1.Note.self).map(\.text)) == ["0", "1", "2", "3"])
    }
  }

  @Test func `each thread has a context of its own, and objects are passed on by their identifiers`() async throws {
    let folder = try TemporaryFolder()
    let container = try Music.container(at: folder.appending("Music.sqlite"))
    let id = try {
      let context = try ModelContext(container)
      let artist = try Music.Artist(in: context)
      artist.name = "Miles Davis"
      try context.save()
      return artist.persistentModelID
    }()
    let names = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<4 {
        group.addTask { try ModelContext(container).existing(id, as: Music.Artist.self)?.name }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(names == Array(repeating: "Miles Davis", count: 4))
  }
}
