// Lengths of encrypted packets.
import type { MessageStream } from "@libp2p/interface";
import { expect, it } from "vitest";
import { withCheapLengths } from "#node/network/cheap-lengths.ts";

it("says with the same error that no length has come, and reads the others as before", () => {
  const decoder = { lengthDecoder: (bytes: Uint8Array): number => ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0) };
  const connection = { decoder } as unknown as MessageStream;
  expect(withCheapLengths(connection)).toBe(connection);
  const errorOf = (length: number): unknown => {
    try {
      return decoder.lengthDecoder(new Uint8Array(length));
    } catch (error) {
      return error;
    }
  };
  expect(errorOf(0)).toBeInstanceOf(RangeError);
  expect(errorOf(1)).toBe(errorOf(0));
  expect(decoder.lengthDecoder(Uint8Array.of(2, 1))).toBe(513);
});

it("leaves a connection without such a decoder alone", () => {
  const connection = {} as unknown as MessageStream;
  expect(withCheapLengths(connection)).toEqual({});
});
