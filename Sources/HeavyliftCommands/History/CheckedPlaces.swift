import Foundation
import Heavylift
import HeavyliftModel

/// The folders and files that a check was given, and the way in which it names files in them.
struct CheckedPlaces {
  private struct Place {
    var path: String
    var absolute: String
  }

  private let given: [Place]
  /// The models that were found; symbolic links may lead to them.
  private var found: [Place] = []

  init(_ paths: [String], _ directory: WorkingDirectory) {
    given = paths.map { path in
      var folder = path.withoutTrailingSlashes
      // Xcode's own files are next to the program's source.
      while ["xcodeproj", "xcworkspace"].contains((folder as NSString).pathExtension) {
        folder = folder.deletingLastPathComponent
      }
      if folder.isEmpty { folder = "." }
      return Place(path: folder, absolute: Self.absolute(folder, directory))
    }
  }

  /// Adds the models that were found in the places.
  mutating func add(_ sources: [ModelSource], _ directory: WorkingDirectory) {
    found += sources.map { Place(path: $0.path.withoutTrailingSlashes, absolute: Self.absolute($0.path, directory)) }
  }

  /// The path without symbolic links.
  static func absolute(_ path: String, _ directory: WorkingDirectory) -> String {
    directory.url(path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// The path of a file for messages; `nil` if it is not in one of the places.
  func shown(_ absolute: String) -> String? {
    for place in given + found {
      if absolute == place.absolute { return place.path }
      guard absolute.hasPrefix(place.absolute == "/" ? "/" : "\(place.absolute)/") else { continue }
      let rest = String(absolute.dropFirst(place.absolute == "/" ? 1 : place.absolute.count + 1))
      return (place.path as NSString).appendingPathComponent(rest)
    }
    return nil
  }

  /// True if a folder is in one of the places, or one of the places is in it.
  func concern(_ folder: String) -> Bool {
    shown(folder) != nil || (given + found).contains { $0.absolute.hasPrefix("\(folder)/") }
  }

  /// False for models that no app has: those of tests, and of libraries, whose authors decide about their versions. A place
  /// that was given counts, wherever it is.
  ///
  /// - Parameter path: A path as messages show it.
  func areReleased(_ path: String) -> Bool {
    let place = given.filter { path == $0.path || $0.path == "." || path.hasPrefix("\($0.path)/") }
      .max { $0.path.count < $1.path.count }
    let rest = place.map { $0.path == "." ? path : String(path.dropFirst($0.path.count)) } ?? path
    return Self.isOwn(rest)
      && !rest.split(separator: "/").dropLast().contains { $0.hasSuffix("Tests") || $0 == "tests" }
  }

  /// False for a file of a library.
  static func isOwn(_ path: String) -> Bool {
    !path.split(separator: "/").dropLast().contains { libraries.contains(String($0)) }
  }

  private static let libraries: Set = ["Pods", "Carthage", "SourcePackages", "Checkouts", "node_modules"]
}
