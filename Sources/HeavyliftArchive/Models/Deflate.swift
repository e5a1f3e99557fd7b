import CZlib
import Foundation

/// Raw DEFLATE, without zlib's header and checksum, as used for the model in a store.
enum Deflate {
  private static let chunkSize = 64 << 10

  /// Negative: no header, no checksum; fifteen: the largest window.
  private static let windowBits: Int32 = -15

  static func inflate(_ data: Data, limit: Int) throws(ArchiveMistake) -> Data {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .notDeflated
    }
    defer { inflateEnd(&stream) }
    var input = [UInt8](data)
    var output = Data()
    var status = Z_OK
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(clamping: source.count)
      while status == Z_OK, output.count <= limit {
        chunk.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          status = CZlib.inflate(&stream, Z_NO_FLUSH)
          output.append(contentsOf: target.prefix(target.count - Int(stream.avail_out)))
        }
      }
    }
    guard output.count <= limit else { throw .inflatesTooFar(limit: limit) }
    // Any result except the end of the stream is damage, including missing input.
    guard status == Z_STREAM_END else { throw .notDeflated }
    return output
  }

  static func deflate(_ data: Data) -> Data? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var input = [UInt8](data)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    let status = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(clamping: target.count)
        return CZlib.deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { return nil }
    return Data(output.prefix(output.count - Int(stream.avail_out)))
  }
}
