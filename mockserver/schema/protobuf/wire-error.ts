/** What is wrong with a protobuf message, in the words of Go's generated decoders. */

/** Thrown while bytes are read; `ProtobufCodec` turns it into a value. */
export class WireError extends Error {
  static endOfInput(): WireError {
    return new WireError('unexpected EOF');
  }

  static overflow(): WireError {
    return new WireError('proto: integer overflow');
  }

  static negativeLength(): WireError {
    return new WireError('proto: negative length found during unmarshaling');
  }
}
