// The last line against double signing: what was signed last, kept apart from the log and made durable before a signature leaves.
import { crc32 } from "node:zlib";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { decode, encode, type TypeOf } from "#shared/codec/codec.ts";
import { fields, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";
import type { ReplaceableFile } from "./engine-storage.ts";

const GUARD_VERSION = 1;
const SIGN_STEPS = ["proposal", "prevote", "precommit"] as const;

/** Position of a signature in the protocol. */
export interface SignPosition {
  readonly height: number;
  readonly round: number;
  readonly step: (typeof SIGN_STEPS)[number];
}

/** A signature that was given. */
export interface SignedRecord {
  readonly position: SignPosition;
  readonly signBytes: Uint8Array;
  readonly signature: Uint8Array;
}

const guardCodec = record(
  {
    chainId: textUpTo(),
    publicKey: hex(32),
    position: fields({ height: integer(), round: integer(), step: numbered(SIGN_STEPS, "step") }),
    signBytes: bytesUpTo(),
    signature: bytes(64),
  },
  GUARD_VERSION,
);

/** Negative, zero or positive as `a` is before, at or after `b`. */
export function comparePositions(a: SignPosition, b: SignPosition): number {
  return a.height - b.height || a.round - b.round || SIGN_STEPS.indexOf(a.step) - SIGN_STEPS.indexOf(b.step);
}

/** Signs each position at most once. A signature may leave the machine only after {@link SignGuard.flush}. */
export class SignGuard {
  readonly #file: ReplaceableFile;
  readonly #chainId: string;
  readonly #signer: ValidatorSigner;
  #last: SignedRecord | undefined;
  #isDurable = true;

  constructor(file: ReplaceableFile, chainId: string, signer: ValidatorSigner) {
    this.#file = file;
    this.#chainId = chainId;
    this.#signer = signer;
    const bytes = file.read();
    this.#last = bytes === undefined ? undefined : decodeGuard(bytes, chainId, signer.publicKey);
  }

  /** The last signature given, undefined when there was none. */
  get last(): SignedRecord | undefined {
    return this.#last;
  }

  /** A new signature after the last position, the old one for the same bytes at it, undefined (refusal) for anything else. */
  sign(position: SignPosition, signBytes: Uint8Array): Uint8Array | undefined {
    const order = this.#last === undefined ? 1 : comparePositions(position, this.#last.position);
    if (order === 0 && this.#last !== undefined && equalBytes(this.#last.signBytes, signBytes)) return this.#last.signature;
    if (order <= 0) return undefined;
    const signature = this.#signer.sign(signBytes);
    this.#last = { position, signBytes, signature };
    this.#isDurable = false;
    return signature;
  }

  /** Takes over a signature that the log or the chain knows when it is later than the last one. */
  adopt(record: SignedRecord): void {
    if (this.#last !== undefined && comparePositions(record.position, this.#last.position) <= 0) return;
    this.#last = record;
    this.#isDurable = false;
  }

  /** Returns when the last signature is durable. */
  flush(): void {
    if (this.#isDurable || this.#last === undefined) return;
    this.#file.replace(encodeGuard(this.#last, this.#chainId, this.#signer.publicKey));
    this.#isDurable = true;
  }
}

function encodeGuard(record: SignedRecord, chainId: string, publicKey: PublicKeyHex): Uint8Array {
  const body = encode(guardCodec, { chainId, publicKey, ...record });
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(body));
  return concatBytes(body, checksum);
}

function decodeGuard(bytes: Uint8Array, ownChainId: string, ownKey: PublicKeyHex): SignedRecord {
  const { chainId, publicKey, ...record } = parseGuard(bytes);
  if (chainId === ownChainId && publicKey === ownKey) return record;
  throw new CodedError(
    "VALIDATOR_UNSAFE",
    "The sign guard belongs to another key or chain: a validator's key and data folder go together",
    { details: { chainId, publicKey } },
  );
}

function parseGuard(bytes: Uint8Array): TypeOf<typeof guardCodec> {
  try {
    const body = bytes.subarray(0, -4);
    if (Buffer.from(bytes.subarray(-4)).readUInt32LE() !== crc32(body)) throw new TypeError("The checksum differs");
    return decode(guardCodec, body);
  } catch (cause) {
    throw new CodedError("STORAGE_CORRUPT", "The sign guard is not readable: voting without it could contradict earlier votes", { cause });
  }
}
