// The last line against double signing: what was signed last, kept apart from the log and made durable before a signature leaves.
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { decode, encode, type TypeOf } from "#shared/codec/codec.ts";
import { fields, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { checkedBody, withChecksum } from "./checksummed.ts";
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

/** A key whose signatures are guarded; without `sign` it is elsewhere, and what it signed is adopted. */
export type GuardedKey = Pick<ValidatorSigner, "publicKey"> & Partial<Pick<ValidatorSigner, "sign">>;

/** Signs each position at most once. A signature may leave the machine only after {@link SignGuard.flush}. */
export class SignGuard {
  readonly #file: ReplaceableFile;
  readonly #chainId: string;
  readonly #signer: GuardedKey;
  #last: SignedRecord | undefined;
  #isDurable = true;

  constructor(file: ReplaceableFile, chainId: string, signer: GuardedKey) {
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
    const given = this.given(position, signBytes);
    if (given !== "new") return given;
    const signature = this.#signer.sign?.(signBytes);
    if (signature === undefined) throw new CodedError("INVARIANT", "The key is elsewhere: it cannot sign here");
    this.adopt({ position, signBytes, signature });
    return signature;
  }

  /** What {@link SignGuard.sign} would give without a new signature; "new" where it would make one. */
  given(position: SignPosition, signBytes: Uint8Array): Uint8Array | "new" | undefined {
    const order = this.#last === undefined ? 1 : comparePositions(position, this.#last.position);
    if (order > 0) return "new";
    return order === 0 && this.#last !== undefined && equalBytes(this.#last.signBytes, signBytes) ? this.#last.signature : undefined;
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
  return withChecksum(encode(guardCodec, { chainId, publicKey, ...record }));
}

/** The signature in the bytes of a guard. @throws CodedError STORAGE_CORRUPT, or VALIDATOR_UNSAFE when it is of another key or chain. */
export function decodeGuard(bytes: Uint8Array, ownChainId: string, ownKey: PublicKeyHex): SignedRecord {
  const { chainId, publicKey, ...record } = parseGuard(bytes);
  if (chainId === ownChainId && publicKey === ownKey) return record;
  throw new CodedError(
    "VALIDATOR_UNSAFE",
    "The sign guard belongs to another key or chain: a validator's key and data folder go together",
    { details: { chainId, publicKey } },
  );
}

/** The key whose signatures the bytes of a guard remember. @throws CodedError STORAGE_CORRUPT */
export function guardedKeyOf(bytes: Uint8Array): PublicKeyHex {
  return parseGuard(bytes).publicKey;
}

function parseGuard(bytes: Uint8Array): TypeOf<typeof guardCodec> {
  try {
    return decode(guardCodec, checkedBody(bytes));
  } catch (cause) {
    throw new CodedError("STORAGE_CORRUPT", "The sign guard is not readable: voting without it could contradict earlier votes", { cause });
  }
}
