import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// One of Xcode's mapping models results in mistakes, or in a mapping that is completed, checked, written and read
/// back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXcodeMapping(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  let reading: XcodeMappingReading
  do {
    reading = try XcodeMappingReader.read(data: data)
  } catch {
    promise(!error.diagnostics.isEmpty, "a refusal has a mistake")
    check(error.diagnostics, in: data)
    return 0
  }
  check(reading.diagnostics, in: data)
  let source = reading.sourceModel ?? ManagedObjectModel(entities: [])
  let destination = reading.destinationModel ?? source
  check(reading.changes(source: source, destination: destination), in: data)
  check(reading.mappingModel.complete(from: source, to: destination).check(), in: data)
  guard !reading.diagnostics.hasErrors, let text = try? MappingWriter.text(of: reading.mappingModel) else { return 0 }
  do {
    let again = try MappingReader.read(text: text).validMappingModel()
    try promise(MappingWriter.text(of: again) == text, "a converted mapping has one text:\n\(text)")
  } catch {
    broken("a mapping that was converted is read: \(error)\n\(text)")
  }
  return 0
}
