// Lengths of encrypted packets: whatever the bytes are cut into, packets come out as they went in, and the end of a piece is no error.
import type { MessageStream } from "@libp2p/interface";
import fc from "fast-check";
import { expect, it } from "vitest";
import { withCheapLengths } from "#node/network/libp2p/cheap-lengths.ts";

/** Reads packets as the library does: a length, and the packet once it is there. Its own way to say that there is no length is an error. */
class Decoder {
  errors = 0;
  #bytes = Buffer.alloc(0);

  lengthDecoder = (bytes: { readonly length: number }): number => {
    if (bytes.length < 2) throw new RangeError("no length");
    return (bytes as Buffer).readUInt16BE(0);
  };

  decode(piece: Uint8Array): readonly string[] {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    const packets: string[] = [];
    for (let length = this.#length(); length !== undefined && this.#bytes.length >= 2 + length; length = this.#length()) {
      packets.push(this.#bytes.toString("hex", 2, 2 + length));
      this.#bytes = this.#bytes.subarray(2 + length);
    }
    return packets;
  }

  #length(): number | undefined {
    try {
      return this.lengthDecoder(this.#bytes);
    } catch {
      this.errors += 1;
      return undefined;
    }
  }
}

it("reads the same packets without an error at the end of each piece", () => {
  const packets = fc.array(fc.uint8Array({ maxLength: 700 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(packets, fc.array(fc.nat(900), { minLength: 1, maxLength: 30 }), (sent, cuts) => {
      const wire = Buffer.concat(sent.flatMap((packet) => [Buffer.of(packet.length >> 8, packet.length & 255), packet]));
      const decoder = new Decoder();
      withCheapLengths({ decoder } as unknown as MessageStream);
      const received: string[] = [];
      for (let at = 0, n = 0; at < wire.length; n += 1) {
        const end = at + 1 + (cuts[n % cuts.length] ?? 0);
        received.push(...decoder.decode(wire.subarray(at, end)));
        at = end;
      }
      expect(received).toEqual(sent.map((packet) => Buffer.from(packet).toString("hex")));
      expect(decoder.errors).toBe(0);
    }),
    { seed: 7 },
  );
});

it("leaves a connection without such a decoder alone", () => {
  const connection = { send: (): boolean => true } as unknown as MessageStream;
  expect(withCheapLengths(connection)).toBe(connection);
  expect(Object.keys(connection)).toEqual(["send"]);
});
