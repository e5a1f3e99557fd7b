import Foundation
import HeavyliftArchive
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// A model file results in mistakes with places, or in a model that is checked, hashed, written byte for byte, compiled
/// and read back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  let reading: ModelReading
  do {
    reading = try ModelReader.read(data: data)
  } catch {
    promise(!error.diagnostics.isEmpty, "a refusal has a mistake")
    check(error.diagnostics, in: data)
    return 0
  }
  check(reading.diagnostics, in: data)
  let model = reading.model
  let findings = model.check()
  promise(findings.allSatisfy { !$0.problem.isEmpty }, "a mistake has words")
  promise(model.versionChecksum.isEmpty == false, "a model has a checksum")
  guard !reading.diagnostics.hasErrors else { return 0 }
  do {
    let text = ModelWriter.text(of: model)
    if String(validating: data, as: UTF8.self) != nil, !data.starts(with: [0xEF, 0xBB, 0xBF]) {
      promise(Data(text.utf8) == data, "a model is written as it was read:\n\(text)")
    }
    let again = try ModelReader.read(text: text).validModel()
    promise(again == model, "a model is read back")
    promise(again.versionHashes == model.versionHashes, "a model has one hash")
  } catch {
    broken("a model that was read is written: \(error)")
  }
  guard !findings.hasErrors else { return 0 }
  _ = try? MappingModel.inferred(from: model, to: model)
  if let archive = try? CompiledModelWriter.archive(of: model) {
    do {
      let compiled = try CompiledModel(data: archive).model
      promise(compiled.versionHashes == model.versionHashes, "a compiled model has the same hashes")
    } catch {
      broken("a model that was compiled is read: \(error)")
    }
  }
  return 0
}
