import Foundation
import HeavyliftModel
import HeavyliftStore
import HeavyliftVerification
import HeavyliftXML

/// An object graph ends in mistakes, or in a store that gives the same graph again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGraph(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  guard let json = String(validating: data, as: UTF8.self) else { return 0 }
  let model = samples.first { json.contains("\"\($0.name ?? "")\"") } ?? samples[0]
  let graph: ObjectGraph
  do {
    graph = try ObjectGraph(json: json, file: "graph.json", folder: folder, model: model)
  } catch {
    promise(!error.diagnostics.isEmpty, "a refusal has a mistake")
    check(error.diagnostics, in: data)
    return 0
  }
  let url = folder.appending(path: "graph.sqlite")
  defer {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }
  let names: [String: ManagedObjectID]
  do {
    names = try graph.build(at: url, model: model)
  } catch let error as DiagnosticList {
    check(error.diagnostics, in: data)
    let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? ["?"]
    promise(left.isEmpty, "a graph that is refused leaves no store: \(left)")
    return 0
  } catch {
    broken("a graph is refused with a place: \(error)")
  }
  do {
    let store = try PersistentStore(url: url, model: model, mode: .readOnly)
    let stored = try ObjectGraph(
      store, names: Dictionary(names.map { ($1, $0) }, uniquingKeysWith: { first, _ in first }))
    try store.close()
    let text = stored.json(model: model)
    let again = try ObjectGraph(json: text, folder: folder, model: model)
    promise(again.json(model: model) == text, "a graph has one text:\n\(text)")
  } catch {
    broken("a graph that was built is read: \(error)")
  }
  return 0
}

private let folder: URL = {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "heavylift-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}()

private let samples: [ManagedObjectModel] = ["Music", "Fitness", "Bank", "Points", "Songbook"].flatMap { name in
  let bundle = URL(filePath: "MappingModels/\(name)/\(name).xcdatamodeld")
  return (try? ModelBundle(contentsOf: bundle))?.versions.map(\.model) ?? []
}
