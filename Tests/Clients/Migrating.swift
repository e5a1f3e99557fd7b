import Foundation
import Heavylift

// A program with Swift 6's concurrency migrates its store at start.

final class KeepTitle: EntityMigrationPolicy {
  override func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    new["title"] = old["title"]
  }
}

/// The code that the program and its own tool share.
enum Migrations {
  static let functions = [
    "secondsFromMinutes:": MigrationFunction { (minutes: Double) in minutes * 60 }
  ]
  static let policies = PolicyRegistry(KeepTitle.self)
  static let manager = IncrementalMigrationManager(
    models: URL(filePath: "Library.xcdatamodeld"),
    code: MigrationCode(policies: policies, functions: functions))
}

@MainActor final class Library {
  var fraction: Float = 0
  var store: PersistentStore?
  let manager = Migrations.manager

  func open(_ url: URL) async {
    let monitor = MigrationMonitor()
    let events = monitor.events()
    let display = Task { for await event in events { fraction = event.fraction } }
    do {
      store = try await manager.open(url, monitor: monitor)
    } catch {
      switch error.kind {
      case .inUse: print("close the other window")
      default: print(error.localizedDescription)
      }
    }
    await display.value
  }

  func openBoth(_ urls: [URL]) async throws {
    try await withThrowingTaskGroup { group in
      for url in urls { group.addTask { try await Migrations.manager.migrate(url) } }
      for try await report in group { print(report) }
    }
  }
}

func printed(_ store: URL) throws -> [String] {
  let opened = try PersistentStore(url: store, mode: .readOnly)
  return try ManagedObjectContext(store: opened).fetch(FetchRequest(entityName: "Book")).map {
    $0["title"].string ?? "untitled"
  }
}

func detached(_ manager: IncrementalMigrationManager, _ store: URL) {
  DispatchQueue.global().async { _ = try? manager.migrate(store) }
  Thread.detachNewThread { _ = try? manager.plan(for: store) }
}
