// Bytes of a copy of the file of connections:
//   "PARLEYAP" | version u8 | generation u48 | XChaCha20-Poly1305 of the state | SHA-256 of all before
// The generation is associated data of the sealed state. The digest distinguishes damage; it is no protection against a person.
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { openPart, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import type { CopyFormat } from "#shared/keyring/vault/vault-copies.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { type AppsStored, appsStateCodec } from "./app-connection.ts";

/** A copy as stored. */
export interface AppsFile {
  readonly body: {
    /** Rises with every write; the vault knows it too. */
    readonly generation: number;
    readonly sealed: Uint8Array;
  };
}

/** Version of the format. */
export const APPS_VERSION = 1;
const MAGIC = utf8("PARLEYAP");
const HEAD_BYTES = MAGIC.length + 7;
const DIGEST_BYTES = 32;

/** How copies are written and read. */
export const APPS_FORMAT: CopyFormat<AppsFile> = {
  encode: ({ body }) => {
    const content = concatBytes(headOf(body.generation), body.sealed);
    return concatBytes(content, sha256(content));
  },
  parse: (bytes) => {
    if (bytes.length < HEAD_BYTES + DIGEST_BYTES) return undefined;
    const content = bytes.subarray(0, bytes.length - DIGEST_BYTES);
    if (!equalBytes(sha256(content), bytes.subarray(content.length)) || !equalBytes(content.subarray(0, MAGIC.length), MAGIC))
      return undefined;
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    if (view.getUint8(MAGIC.length) > APPS_VERSION)
      throw new CodedError("STORAGE_NEWER", "The connections were written by a newer version of Parley: install that version");
    const generation = view.getUint16(MAGIC.length + 1) * 2 ** 32 + view.getUint32(MAGIC.length + 3);
    return { body: { generation, sealed: content.slice(HEAD_BYTES) } };
  },
};

/** The state under a key, as a generation. */
export function sealApps(key: Uint8Array, generation: number, state: AppsStored, random: RandomBytes): AppsFile {
  return { body: { generation, sealed: sealPart(key, encode(appsStateCodec, state), headOf(generation), random) } };
}

/** The state of a file, or undefined when it is of none of the keys. */
export function openApps(keys: readonly Uint8Array[], { body }: AppsFile): AppsStored | undefined {
  for (const key of keys) {
    const plaintext = openPart(key, body.sealed, headOf(body.generation));
    if (plaintext !== undefined) return decode(appsStateCodec, plaintext);
  }
  return undefined;
}

function headOf(generation: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MAGIC);
  const view = new DataView(head.buffer);
  view.setUint8(MAGIC.length, APPS_VERSION);
  view.setUint16(MAGIC.length + 1, Math.floor(generation / 2 ** 32));
  view.setUint32(MAGIC.length + 3, generation % 2 ** 32);
  return head;
}
