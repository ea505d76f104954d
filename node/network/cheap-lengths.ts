// Lengths of encrypted packets. The library's decoder ends every piece that it reads with an error that says that no further length has come,
// and an error takes a picture of the stack: here the same one is thrown each time.
import type { MessageStream } from "@libp2p/interface";

const LENGTH_BYTES = 2;
const TOO_SHORT = new RangeError("Fewer bytes than a length has");

interface WithDecoder {
  readonly decoder?: { lengthDecoder: (bytes: { readonly length: number }) => number };
}

/** Makes the end of what an encrypted connection has read cheap; a connection without such a decoder stays as it is. */
export function withCheapLengths(connection: MessageStream): MessageStream {
  const { decoder } = connection as unknown as WithDecoder;
  if (decoder === undefined) return connection;
  const decode = decoder.lengthDecoder;
  decoder.lengthDecoder = (bytes): number => {
    if (bytes.length < LENGTH_BYTES) throw TOO_SHORT;
    return decode(bytes);
  };
  return connection;
}
