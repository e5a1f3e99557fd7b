import Foundation
import HeavyliftModel
enum CompiledModelReader {
  struct R { var model: ManagedObjectModel };
  static func read(modelCache: Data) throws -> R { throw Diagnostic(.error, code: "x", problem: "stub") }
}
