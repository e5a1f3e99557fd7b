import Foundation
import Heavylift
import HeavyliftVerification

/// A small store of a frozen version, with some objects of every entity. The same model always yields the same objects.
enum FrozenStore {
  /// Creates the store.
  ///
  /// - Returns: The number of objects, and notes about objects that the model does not allow.
  static func create(at url: URL, model: ManagedObjectModel) throws -> (count: Int, notes: [String]) {
    let varied = VariedGraph(model)
    var options = PersistentStore.CreationOptions()
    options.identifier = identifier(of: model)
    try varied.graph.build(at: url, model: model, options: options)
    return (varied.graph.objects.count, varied.notes)
  }

  /// Throws if the store is of another version than the model.
  static func check(_ url: URL, shownAs path: String, version: String, model: ManagedObjectModel) throws {
    let hashes = try StoreFile(url: url, mode: .readOnly).metadata.versionHashes
    guard hashes != model.versionHashes else { return }
    throw Diagnostic(
      .error, code: "schema.store-disagrees",
      problem: "store \(path.quotedName) has other version hashes than frozen version \(version.quotedName)",
      remedy: "restore it from your repository, or delete it and freeze the version again with --store")
  }

  /// A UUID made from the checksum: a random one would change the store each time.
  private static func identifier(of model: ManagedObjectModel) -> String {
    let bytes = Array((Data(base64Encoded: model.versionChecksum) ?? Data()).prefix(16))
    let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    guard digits.count == 16 else { return UUID().uuidString }
    return groups.map { digits[$0].joined() }.joined(separator: "-")
  }
}
