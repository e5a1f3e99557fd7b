import Foundation
import Heavylift
import HeavyliftTestSupport

/// A difference between two versions, and a stage that bridges it.
struct StageCase: Sendable {
  var name: String
  /// The two versions, in the notation of `ModelText`.
  var old: String
  var new: String
  /// Fills the store.
  var fill: @Sendable (ManagedObjectContext) throws -> Void
  /// Does all that the destination version needs.
  var script: @Sendable (ManagedObjectContext) throws -> Void = { _ in }
  /// A script that forgets something, or does nothing.
  var forgetful: @Sendable (ManagedObjectContext) throws -> Void = { _ in }

  var versions: (old: ManagedObjectModel, new: ManagedObjectModel) {
    (ModelText.model(old, name: "Music 1"), ModelText.model(new, name: "Music 2"))
  }

  /// The file with all that the stage does.
  var file: URL {
    Corpus.project.appending(path: "Fixtures/Stages/\(name.replacing(",", with: "").replacing(" ", with: "-")).txt")
  }

  /// Everything that the stage does, in words.
  func account() throws -> String {
    let (old, new) = versions
    let run = try StageRun(from: old, to: new, fill: fill)
    let intermediate = run.intermediate
    var parts = [
      ("source", ModelText.text(old)), ("destination", ModelText.text(new)),
      ("changes", intermediate.changes.map(\.description).joined(separator: "\n")),
      ("intermediate", intermediate.isNeeded ? ModelText.text(intermediate.model) : "the destination"),
      ("source to intermediate", ModelText.text(intermediate.expansion)),
    ]
    if let contraction = intermediate.contraction {
      parts.append(("intermediate to destination", ModelText.text(contraction)))
    }
    if !intermediate.vacatedEntities.isEmpty {
      parts.append(("vacated", intermediate.vacatedEntities.joined(separator: "\n")))
    }
    try run.expand()
    parts.append(("before the script", try run.intermediateLines().joined(separator: "\n")))
    try run.run(script: script)
    try run.contract()
    parts.append(("after the stage", try run.lines().joined(separator: "\n")))
    parts.append(("after a script that forgets something", try outcomeOfForgetfulScript()))
    return parts.map { title, text in "\(title):\n" + text.split(separator: "\n").map { "  \($0)\n" }.joined() }
      .joined(separator: "\n")
  }

  private func outcomeOfForgetfulScript() throws -> String {
    let run = try StageRun(from: versions.old, to: versions.new, fill: fill)
    try run.expand()
    try run.run(script: forgetful)
    do {
      try run.contract()
      return try run.lines().joined(separator: "\n")
    } catch let error as HopError {
      return "\(error)".replacing(run.folder.path + "/", with: "")
    }
  }
}

extension ManagedObjectContext {
  /// Inserts an object with some values.
  @discardableResult
  func insert(_ entity: String, _ values: KeyValuePairs<String, Value>) throws -> ManagedObject {
    let object = try insert(entity)
    for (key, value) in values { object[key] = value }
    return object
  }

  /// All objects of an entity and its sub-entities.
  func all(_ entity: String) throws -> [ManagedObject] { try fetch(FetchRequest(entityName: entity)) }
}
