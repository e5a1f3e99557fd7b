import Foundation

@testable import HeavyliftStore

/// A folder in memory that is deleted after the test; nil if none is on a separate volume.
final class OtherDisk: Sendable {
  static let exists =
    (try? FileIdentity(URL(filePath: "/dev/shm"))).map {
      $0.device != (try? FileIdentity(FileManager.default.temporaryDirectory))?.device
    } ?? false && access("/dev/shm", W_OK) == 0

  let url = URL(filePath: "/dev/shm/heavylift-\(UUID().uuidString)", directoryHint: .isDirectory)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
