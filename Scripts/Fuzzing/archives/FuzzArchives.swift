import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Compiled models and mappings, model caches, version infos, keyed archives and property lists: each results in an
/// error with a message, or in a value that is written and read back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchives(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  guard let list = trying({ () throws(Diagnostic) in try PropertyList(data: data) }) else {
    // Data that is not a property list may be a model cache.
    if let cached = trying({ () throws(Diagnostic) in
      try CompiledModel(modelCache: data, inflatedSizeLimit: 1 << 20)
    }) {
      check(cached.model)
    }
    return 0
  }
  let written = list.binaryData
  // Compares bytes: NaN is not equal to itself, and strings with different code points can be equal.
  promise(
    trying { () throws(Diagnostic) in try PropertyList(data: written) }?.binaryData == written,
    "a property list is read back")
  if let info = trying({ () throws(Diagnostic) in try VersionInfo(data: data) }) {
    promise(trying { () throws(Diagnostic) in try VersionInfo(data: info.data) } == info, "a version info is read back")
  }
  guard let archive = trying({ () throws(Diagnostic) in try KeyedArchive(data: data) }) else { return 0 }
  if let root = archive.root {
    read(root, in: archive)
  }
  if let compiled = trying({ () throws(Diagnostic) in try CompiledModel(data: data) }) { check(compiled.model) }
  if let compiled = trying({ () throws(Diagnostic) in try CompiledMapping(data: data) }) {
    let empty = ManagedObjectModel(entities: [])
    _ = compiled.changes(source: empty, destination: empty)
    _ = compiled.mappingModel.complete(from: empty, to: empty).check()
  }
  return 0
}

/// The result, or `nil` after an error with a message.
private func trying<Result>(_ body: () throws(Diagnostic) -> Result) -> Result? {
  do {
    return try body()
  } catch {
    promise(!error.problem.isEmpty && error.remedy?.isEmpty != true, "a refusal has words")
    return nil
  }
}

private func read(_ root: ArchivedValue, in archive: KeyedArchive) {
  if let expression = trying({ () throws(Diagnostic) in try ArchivedExpression(root, in: archive) }) {
    _ = expression.description
    _ = trying { () throws(Diagnostic) in try MappingExpression(archived: expression) }
  }
  if let predicate = trying({ () throws(Diagnostic) in try ArchivedPredicate(root, in: archive) }) {
    _ = predicate.description
    _ = trying { () throws(Diagnostic) in try MappingPredicate(archived: predicate) }
  }
}

private func check(_ model: ManagedObjectModel) {
  let findings = model.check()
  let hashes = model.versionHashes
  guard !findings.hasErrors, let archive = try? CompiledModelWriter.archive(of: model) else { return }
  guard let again = trying({ () throws(Diagnostic) in try CompiledModel(data: archive) }) else {
    broken("a model that was compiled is read")
  }
  promise(again.model.versionHashes == hashes, "a compiled model has the same hashes")
}
