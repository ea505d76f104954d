// Lengths of encrypted packets. The library's decoder ends every piece that it reads with an error that says that no further length has
// come, and an error with its stack costs as much as a small packet. A length that has not come whole is called the longest one instead:
// the decoder then waits for the packet as for any other that is not there yet, and reads the length again.
import type { MessageStream } from "@libp2p/interface";

const LENGTH_BYTES = 2;
const LONGEST = 0xffff;

interface WithDecoder {
  readonly decoder?: { lengthDecoder: (bytes: { readonly length: number }) => number };
}

/** Makes the end of what an encrypted connection has read cheap; a connection without such a decoder stays as it is. */
export function withCheapLengths(connection: MessageStream): MessageStream {
  const { decoder } = connection as unknown as WithDecoder;
  if (decoder === undefined) return connection;
  const decode = decoder.lengthDecoder;
  decoder.lengthDecoder = (bytes): number => (bytes.length < LENGTH_BYTES ? LONGEST : decode(bytes));
  return connection;
}
