import Foundation
import HeavyliftModel

/// The contents of the `VersionInfo.plist` in a compiled model folder.
package struct VersionInfo: Hashable, Sendable {
  /// The name of the current version.
  package var currentVersionName: String?
  /// The hash of every entity, by version and entity.
  package var versionHashes: [String: [String: VersionHash]]
  /// The checksum of every version; only newer compilers write it.
  package var versionChecksums: [String: String]

  /// Creates version information.
  package init(
    currentVersionName: String? = nil, versionHashes: [String: [String: VersionHash]] = [:],
    versionChecksums: [String: String] = [:]
  ) {
    self.currentVersionName = currentVersionName
    self.versionHashes = versionHashes
    self.versionChecksums = versionChecksums
  }

  /// Reads the property list.
  package init(data: Data, subject: String = "'VersionInfo.plist'") throws(Diagnostic) {
    let list = try PropertyList(data: data, subject: subject)
    guard let entries = list.dictionary, let versions = entries["NSManagedObjectModel_VersionHashes"]?.dictionary else {
      throw Diagnostic(
        .error, code: "archive.no-version-hashes",
        problem: "\(subject) lacks 'NSManagedObjectModel_VersionHashes'",
        remedy: "pass the VersionInfo.plist of a compiled model (.momd)")
    }
    self.init()
    currentVersionName = entries["NSManagedObjectModel_CurrentVersionName"]?.string
    for (version, hashes) in versions.sorted(by: { $0.key < $1.key }) {
      var byEntity: [String: VersionHash] = [:]
      for (entity, bytes) in (hashes.dictionary ?? [:]).sorted(by: { $0.key < $1.key }) {
        guard let bytes = bytes.data, bytes.count == 32 else {
          throw Diagnostic(
            .error, code: "archive.version-hash",
            problem:
              "\(subject) has a version hash for entity '\(entity)' of '\(version)' that is not 32 bytes of data",
            remedy: "compile the model again, or restore the file from a backup")
        }
        byEntity[entity] = VersionHash(bytes: bytes)
      }
      versionHashes[version] = byEntity
    }
    versionChecksums = (entries["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:])
      .compactMapValues(\.string)
  }

  /// Reads the file.
  package init(contentsOf url: URL) throws(Diagnostic) {
    let subject = "'\(url.lastPathComponent)'"
    try self.init(data: FileContents.read(url, .found, subject: subject), subject: subject)
  }

  /// The property list in binary form.
  package var data: Data {
    var entries: [String: PropertyList] = [
      "NSManagedObjectModel_VersionHashes": .dictionary(
        versionHashes.mapValues { .dictionary($0.mapValues { .data($0.bytes) }) })
    ]
    if let currentVersionName {
      entries["NSManagedObjectModel_CurrentVersionName"] = .string(currentVersionName)
    }
    if !versionChecksums.isEmpty {
      entries["NSManagedObjectModel_VersionChecksums"] = .dictionary(versionChecksums.mapValues { .string($0) })
    }
    return PropertyList.dictionary(entries).binaryData
  }
}
