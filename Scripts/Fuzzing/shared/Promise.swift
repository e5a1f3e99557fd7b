/// Ends the process if a law does not hold, which libFuzzer reports together with the input.
func promise(_ isKept: @autoclosure () throws -> Bool, _ words: @autoclosure () -> String) rethrows {
  if try isKept() { return }
  broken(words())
}

func broken(_ words: String) -> Never {
  // An optimized build drops the message of a precondition.
  print("broken: \(words)")
  preconditionFailure()
}
