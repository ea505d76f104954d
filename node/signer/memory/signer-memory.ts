// What the signer has signed last, and for which node. It is on the disk before a signature leaves, and a signature that could not be
// stored never leaves: a full or failing disk costs votes, never a second signature of one position.
//
// A height belongs to the node that got its first signature. Another one may not have what the first has seen of it, so its votes could
// break a lock of the first; it gets signatures from the next height on.

import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { checkedBody, withChecksum } from "#node/engine/log/checksummed.ts";
import type { ReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { comparePositions, type SignedRecord, type SignPosition } from "#node/engine/log/sign-guard.ts";
import { decode, encode, type TypeOf } from "#shared/codec/codec.ts";
import { fields, nullable, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { equalBytes } from "#shared/util/bytes.ts";

const MEMORY_VERSION = 1;

const memoryCodec = record(
  {
    chainId: textUpTo(),
    publicKey: hex(32),
    /** Node that the height of the position belongs to; null for what was signed before the signer had the key. */
    holder: nullable(hex(32)),
    position: fields({
      height: integer(),
      round: integer(),
      step: numbered(["proposal", "prevote", "precommit"], "step"),
    }),
    signBytes: bytesUpTo(),
    signature: bytes(64),
  },
  MEMORY_VERSION,
);

/** The last signature and whose it is. */
export type RememberedSignature = SignedRecord & { readonly holder: PublicKeyHex | null };

/** A signature, or why there is none. */
export type SigningOutcome = { readonly signature: Uint8Array } | { readonly refusal: string };

/** What a new key has signed: nothing, which is not the same as not to know. */
export const NOTHING_SIGNED: RememberedSignature = {
  position: { height: 0, round: 0, step: "proposal" },
  signBytes: new Uint8Array(),
  signature: new Uint8Array(64),
  holder: null,
};

/** Signs each position at most once, durably. */
export class SignerMemory {
  readonly #file: ReplaceableFile;
  readonly #chainId: string;
  readonly #signer: ValidatorSigner;
  #last: RememberedSignature | undefined;
  /** The proposal that was signed last by this process: its parts may be signed. */
  #proposal: { readonly height: number; readonly round: number; readonly blockHash: HashHex | null } | undefined;

  /** @throws CodedError STORAGE_CORRUPT, or VALIDATOR_UNSAFE when the file is of another key or chain. */
  constructor(file: ReplaceableFile, chainId: string, signer: ValidatorSigner) {
    this.#file = file;
    this.#chainId = chainId;
    this.#signer = signer;
    const stored = file.read();
    this.#last = stored === undefined ? undefined : decodeMemory(stored, chainId, signer.publicKey);
  }

  /** The last signature; undefined when none is remembered. */
  get last(): RememberedSignature | undefined {
    return this.#last;
  }

  /**
   * A new signature after the last position, durable when this returns, the old one for the same bytes at it, or a refusal.
   * @throws what storing it failed with; then nothing was signed.
   */
  sign(holder: PublicKeyHex, request: { position: SignPosition; blockHash: HashHex | null; signBytes: Uint8Array }): SigningOutcome {
    const { position, blockHash, signBytes } = request;
    const last = this.#last;
    const order = last === undefined ? 1 : comparePositions(position, last.position);
    if (last !== undefined && order === 0 && equalBytes(last.signBytes, signBytes)) return { signature: last.signature };
    if (last !== undefined && order <= 0)
      return { refusal: `the last signature is of ${wordsOf(last.position)}: this would contradict it` };
    if (last?.holder != null && last.position.height === position.height && last.holder !== holder)
      return { refusal: `another node has signed at height ${position.height}: this one gets signatures from the next height on` };
    const signature = this.#signer.sign(signBytes);
    this.#store({ position, signBytes, signature, holder });
    if (position.step === "proposal") this.#proposal = { height: position.height, round: position.round, blockHash };
    return { signature };
  }

  /** Signs what belongs to the proposal that was signed last, and to no other. */
  signParts({ height, round, blockHash }: { height: number; round: number; blockHash: HashHex }, signBytes: Uint8Array): SigningOutcome {
    const known = this.#proposal;
    if (known === undefined || known.height !== height || known.round !== round || known.blockHash !== blockHash)
      return { refusal: `no proposal of that block was signed in round ${round} of height ${height}` };
    return { signature: this.#signer.sign(signBytes) };
  }

  /** Signs what has no position: the seat of a node. */
  signFreely(signBytes: Uint8Array): SigningOutcome {
    return { signature: this.#signer.sign(signBytes) };
  }

  #store(next: RememberedSignature): void {
    this.#file.replace(encodeMemory(next, this.#chainId, this.#signer.publicKey));
    this.#last = next;
  }
}

/** Bytes of the file that holds a signature. */
export function encodeMemory(last: RememberedSignature, chainId: string, publicKey: PublicKeyHex): Uint8Array {
  return withChecksum(encode(memoryCodec, { chainId, publicKey, ...last }));
}

/** A position in words. */
export function wordsOf({ height, round, step }: SignPosition): string {
  return `height ${height}, round ${round}, ${step}`;
}

/** The signature in the bytes of a file. @throws CodedError STORAGE_CORRUPT, or VALIDATOR_UNSAFE when it is of another key or chain. */
export function decodeMemory(stored: Uint8Array, ownChainId: string, ownKey: PublicKeyHex): RememberedSignature {
  const { chainId, publicKey, ...last } = parseMemory(stored);
  if (chainId === ownChainId && publicKey === ownKey) return last;
  throw new CodedError(
    "VALIDATOR_UNSAFE",
    chainId === ownChainId
      ? "The signer's folder remembers signatures of another key: a key and its folder go together"
      : `The signer's folder remembers signatures of the chain ${chainId}: a key has one folder a chain`,
    { details: { chainId, publicKey } },
  );
}

/** Chain, key and position in the bytes of a file. @throws CodedError STORAGE_CORRUPT */
export function memoryNetwork(stored: Uint8Array): Pick<TypeOf<typeof memoryCodec>, "chainId" | "publicKey" | "position"> {
  const { chainId, publicKey, position } = parseMemory(stored);
  return { chainId, publicKey, position };
}

function parseMemory(stored: Uint8Array): TypeOf<typeof memoryCodec> {
  try {
    return decode(memoryCodec, checkedBody(stored));
  } catch (cause) {
    throw new CodedError(
      "STORAGE_CORRUPT",
      "What the signer has signed is not readable: signing without it could contradict earlier signatures",
      { cause },
    );
  }
}
