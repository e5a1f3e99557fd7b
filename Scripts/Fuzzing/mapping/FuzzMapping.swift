import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// A mapping file results in mistakes with places, or in a mapping that is completed, checked, written and read back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMapping(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  let reading: MappingReading
  do {
    reading = try MappingReader.read(data: data)
  } catch {
    promise(!error.diagnostics.isEmpty, "a refusal has a mistake")
    check(error.diagnostics, in: data)
    return 0
  }
  check(reading.diagnostics, in: data)
  let (source, destination) = models.pair(of: reading.mappingModel)
  let complete = reading.mappingModel.complete(from: source, to: destination)
  check(complete.check(), in: data)
  guard !reading.diagnostics.hasErrors else { return 0 }
  do {
    let text = try MappingWriter.text(of: reading.mappingModel)
    let again = try MappingReader.read(text: text).validMappingModel()
    promise(again == reading.mappingModel, "a mapping is read back:\n\(text)")
    try promise(MappingWriter.text(of: again) == text, "a mapping has one text:\n\(text)")
    let refusals = try MappingGrammar.validate(data)
    promise(refusals.isEmpty, "the grammar accepts what the reader accepts: \(refusals)")
  } catch {
    broken("a mapping that was read is written: \(error)")
  }
  return 0
}

private let models = SampleModels()

/// The models of the project's own mappings.
private struct SampleModels {
  private var byName: [String: ManagedObjectModel] = [:]
  private let fallback = ManagedObjectModel(entities: [])

  init() {
    for name in ["Music", "Fitness", "Bank", "Points", "Songbook"] {
      let bundle = URL(filePath: "MappingModels/\(name)/\(name).xcdatamodeld")
      for version in (try? ModelBundle(contentsOf: bundle))?.versions ?? [] { byName[version.name] = version.model }
    }
    promise(byName.count > 8, "the sample models are read")
  }

  /// The models that the mapping names, or others.
  func pair(of mapping: MappingModel) -> (ManagedObjectModel, ManagedObjectModel) {
    let source = mapping.source.name.flatMap { byName[$0] } ?? byName["Music 1"] ?? fallback
    return (source, mapping.destination.name.flatMap { byName[$0] } ?? byName["Music 2"] ?? fallback)
  }
}
