import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@testable import SampleSchemas

/// Each stage of the plan, and the plan from each version to the last one.
struct ExercisesPlanTests {
  private let url: URL
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Exercises.sqlite")
  }

  /// Creates a store, and closes it.
  private func create(_ version: any VersionedSchema.Type, _ body: (ModelContext) throws -> Void) throws {
    let context = try ModelContext(ModelContainer(for: version, at: url))
    try body(context)
    try context.save()
    try context.managedObjectContext.store.close()
  }

  private func migrated(to version: any VersionedSchema.Type) throws -> ModelContext {
    try ModelContext(ModelContainer(for: version, migrationPlan: ExercisesPlan.self, at: url))
  }

  private let sets = [SetSummary(repetitions: 8, weight: 60), SetSummary(repetitions: 6, weight: 62.5)]

  private func createFirst() throws {
    try create(ExercisesV1.self) { context in
      let press = try context.insert(ExercisesV1.Exercise.self)
      (press.name, press.sets) = ("Bench press", sets)
      try context.insert(ExercisesV1.Exercise.self).name = "Plank"
    }
  }

  @Test func `an optional attribute is added`() throws {
    try createFirst()
    let exercises = try migrated(to: ExercisesV2.self).fetch(
      ExercisesV2.Exercise.self, sortBy: [SortKey(\.$name)])
    #expect(exercises.map(\.name) == ["Bench press", "Plank"])
    #expect(exercises.map(\.sets) == [sets, []])
    #expect(exercises.map(\.notes) == [nil, nil])
  }

  @Test func `a required attribute is set by the stage`() throws {
    try create(ExercisesV2.self) { context in
      let plank = try context.insert(ExercisesV2.Exercise.self)
      (plank.name, plank.notes) = ("Plank", "30 s")
    }
    let exercises = try migrated(to: ExercisesV3.self).fetch(ExercisesV3.Exercise.self)
    #expect(exercises.map(\.name) == ["Plank"])
    #expect(exercises.map(\.notes) == ["30 s"])
    #expect(exercises.map(\.createdAt) == [Date(timeIntervalSince1970: 1_700_000_000)])
  }

  @Test func `sets become objects in a version that has both forms`() throws {
    try create(ExercisesV3.self) { context in
      let press = try context.insert(ExercisesV3.Exercise.self)
      (press.name, press.sets, press.createdAt) = ("Bench press", sets, Date(timeIntervalSince1970: 1))
    }
    let context = try migrated(to: ExercisesV4.self)
    let press = try #require(try context.fetch(ExercisesV4.Exercise.self).first)
    #expect(press.legacySets == sets)
    let performed = try context.fetch(ExercisesV4.PerformedSet.self, sortBy: [SortKey(\.$position)])
    #expect(performed.map(\.repetitions) == [8, 6])
    #expect(performed.map(\.weight) == [60, 62.5])
    #expect(press.performedSets == Set(performed))
  }

  @Test func `the old form of the sets is removed`() throws {
    try create(ExercisesV4.self) { context in
      let press = try context.insert(ExercisesV4.Exercise.self)
      (press.name, press.legacySets, press.createdAt) = ("Bench press", sets, Date(timeIntervalSince1970: 1))
      let set = try context.insert(ExercisesV4.PerformedSet.self)
      (set.position, set.repetitions, set.weight, set.exercise) = (0, 8, 60, press)
    }
    try expectLast(
      """
      {"entity":"Exercise","key":1,"attributes":{"createdAt":"1970-01-01T00:00:01Z","name":"Bench press","notes":null},\
      "relationships":{"performedSets":["PerformedSet/p1"]}}
      {"entity":"PerformedSet","key":1,"attributes":{"position":0,"repetitions":8,"weight":60.0},\
      "relationships":{"exercise":"Exercise/p1"}}

      """)
  }

  @Test func `a store of the first version is migrated to the last one`() throws {
    try createFirst()
    try expectLast(
      """
      {"entity":"Exercise","key":1,"attributes":{"createdAt":"2023-11-14T22:13:20Z","name":"Bench press","notes":null},\
      "relationships":{"performedSets":["PerformedSet/p1","PerformedSet/p2"]}}
      {"entity":"Exercise","key":2,"attributes":{"createdAt":"2023-11-14T22:13:20Z","name":"Plank","notes":null},\
      "relationships":{"performedSets":[]}}
      {"entity":"PerformedSet","key":1,"attributes":{"position":0,"repetitions":8,"weight":60.0},\
      "relationships":{"exercise":"Exercise/p1"}}
      {"entity":"PerformedSet","key":2,"attributes":{"position":1,"repetitions":6,"weight":62.5},\
      "relationships":{"exercise":"Exercise/p1"}}

      """)
  }

  private func expectLast(_ expected: String) throws {
    let context = try migrated(to: ExercisesV5.self)
    let sink = MemorySink()
    try StoreDump(context.managedObjectContext.store).write(to: sink)
    #expect(sink.text == expected)
  }
}
