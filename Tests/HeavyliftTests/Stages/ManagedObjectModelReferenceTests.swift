import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// References to models, and the checks of their checksums.
struct ManagedObjectModelReferenceTests {
  /// A folder with a bundle of all versions of the music model.
  private static func bundle() throws -> (TemporaryFolder, URL) {
    let folder = try TemporaryFolder()
    let bundle = folder.appending("Music.xcdatamodeld")
    for model in MusicStages.versions {
      let version = bundle.appending(path: "\(model.name ?? "").xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(ModelWriter.text(of: model).utf8).write(to: version.appending(path: "contents"))
    }
    return (folder, bundle)
  }

  @Test func `all four kinds of reference find the model`() throws {
    let (folder, bundle) = try Self.bundle()
    let (model, checksum) = (MusicStages.versions[1], MusicStages.checksum(2))
    let file = bundle.appending(path: "Music 2.xcdatamodel")
    let references = [
      ManagedObjectModelReference(model: model, versionChecksum: checksum),
      ManagedObjectModelReference(fileURL: file, versionChecksum: checksum),
      ManagedObjectModelReference(fileURL: bundle, versionChecksum: checksum),
      ManagedObjectModelReference(name: "Music 2", in: bundle, versionChecksum: checksum),
      ManagedObjectModelReference(name: "Music 2", in: folder.url, versionChecksum: checksum),
      ManagedObjectModelReference(entityVersionHashes: model.versionHashes, in: bundle, versionChecksum: checksum),
    ]
    for reference in references {
      let found = try reference.resolvedModel
      #expect(found == model && found.name == "Music 2")
    }
  }

  @Test func `a model that is missing or differs is an error`() throws {
    let (folder, bundle) = try Self.bundle()
    let checksum = MusicStages.checksum(2)
    let empty = folder.appending("Empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
    let cases: [(ManagedObjectModelReference, String)] = [
      (
        ManagedObjectModelReference(model: MusicStages.versions[0], versionChecksum: checksum),
        """
        error[stage.wrong-checksum]: model 'Music 1' does not have the checksum '\(checksum)'
          its checksum is '\(MusicStages.checksum(1))'; restore the model as it was released, or correct the checksum if \
        no store has been written with the old one
        """
      ),
      (
        ManagedObjectModelReference(name: "Musik 2", in: bundle, versionChecksum: checksum),
        """
        error[stage.missing-model]: '\(bundle.path)' has no model 'Musik 2'
          did you mean 'Music 2'?
        """
      ),
      (
        ManagedObjectModelReference(name: "Music 2", in: empty, versionChecksum: checksum),
        """
        error[stage.missing-model]: the folder '\(empty.path)' is not a model
          pass an .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom
        """
      ),
      (
        ManagedObjectModelReference(fileURL: bundle, versionChecksum: "other"),
        """
        error[stage.wrong-checksum]: '\(bundle.path)' does not have the checksum 'other'
          the checksums are: \((1...4).map { "'\(MusicStages.checksum($0))' ('Music \($0)')" }.joined(separator: ", "))
        """
      ),
      (
        ManagedObjectModelReference(
          entityVersionHashes: ["Track": VersionHash(bytes: Data(repeating: 0, count: 32))], in: bundle,
          versionChecksum: checksum),
        """
        error[stage.missing-model]: no model in '\(bundle.path)' has the given version hashes of entities 'Track'
          compare them with those of the models: 'heavylift inspect Music.xcdatamodeld'
        """
      ),
      (
        ManagedObjectModelReference(versionChecksum: checksum),
        """
        error[stage.unknown-version]: no version has the checksum '\(checksum)'
          pass the models of all versions: StagedMigrationManager(stages, versions: models)
        """
      ),
    ]
    for (reference, message) in cases {
      let error = #expect(throws: StagedMigrationError.self) { try reference.resolvedModel }
      #expect(error?.description == message)
      #expect(error?.number == 134_504)
    }
  }
}
