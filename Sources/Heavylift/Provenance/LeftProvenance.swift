import Foundation
import HeavyliftStore

/// A provenance file on its way from the work folder to its final path.
///
/// It is put in place before the store, and removed again if the store cannot be put in place.
struct LeftProvenance {
  /// The file in the work folder.
  let made: URL
  let place: URL
  /// An unguessable part of an incomplete copy's name, so that no other process can take that name.
  let mark: String
  let files: FileOperations

  /// An incomplete copy next to the final path.
  private var copy: URL { place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).\(mark)") }

  /// Returns true if an interrupted run has already put this file at the final path.
  func isLeft() throws -> Bool {
    guard let here = try FileIdentity(made), let there = try FileIdentity(place) else { return false }
    return here.isSameFile(as: there)
      || here.size == there.size && FileManager.default.contentsEqual(atPath: made.path, andPath: place.path)
  }

  /// Puts the file in place, as a hard link, or as a copy if the path is on another disk.
  func leave() throws {
    if try isLeft() { return }
    do {
      try files.link(made, to: place)
    } catch let error as POSIXError where error.meansNoLinks {
      try files.remove(copy)
      try files.copy(made, to: copy)
      do {
        try files.move(copy, to: place)
      } catch {
        try? files.remove(copy)
        throw try files.exists(place) ? IncrementalMigrationError.destinationExists(place) : error
      }
    } catch let error as POSIXError where error.code == .EEXIST {
      throw IncrementalMigrationError.destinationExists(place)
    }
    try files.synchronize(place.deletingLastPathComponent())
  }

  /// Removes the file, unless another process created it.
  func takeBack() throws {
    try files.remove(copy)
    if try isLeft() { try files.remove(place) }
  }
}
