/// Random numbers determined by the seed that libFuzzer passes to a mutation.
struct FuzzRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: CUnsignedInt) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// libFuzzer's own mutation, which also inserts the words of the dictionary.
@_silgen_name("LLVMFuzzerMutate")
func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Replaces the input with `bytes`, truncated to the capacity.
func store(_ bytes: [UInt8], in data: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Int {
  let count = min(bytes.count, capacity)
  for index in 0..<count { data[index] = bytes[index] }
  return count
}
