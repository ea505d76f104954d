// Chains of headers for light nodes: any history of validator sets, really signed. The bodies do not matter here.
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { sortValidators, type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { CLOCK_DRIFT_MS, type LightRules, TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { HEADER_VERSION } from "#shared/protocol/primitives/limits.ts";

export const LIGHT_CHAIN_ID = "light-1";
/** Time of block 0. */
export const BEGIN_MS = 1_800_000_000_000;
/** Time between two blocks. */
export const STEP_MS = 1_000;
const ZEROS = "00".repeat(32);
/** PrivateKeyInfo of an Ed25519 key without the key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** The rules of the light chain, with real signatures. */
export const LIGHT_RULES: LightRules = {
  chainId: LIGHT_CHAIN_ID,
  verify: createNativeVerifier(),
  hash: nativeSha256,
  trustingPeriodMs: TRUSTING_PERIOD_MS,
  clockDriftMs: CLOCK_DRIFT_MS,
};

/** A key pair that can be a validator. */
export interface LightSigner {
  readonly publicKey: string;
  sign(message: Uint8Array): Uint8Array;
}

const signers = new Map<number, LightSigner>();

/** Signer number `index`, 0 to 65,535; always the same. */
export function lightSigner(index: number): LightSigner {
  const known = signers.get(index);
  if (known !== undefined) return known;
  const seed = Buffer.alloc(32, 7);
  seed.writeUInt16LE(index);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  const signer: LightSigner = { publicKey, sign: (message) => Uint8Array.from(sign(null, message, key)) };
  signers.set(index, signer);
  return signer;
}

/** The set of some signers, each with a bond of 1 µT. */
export function lightSet(indexes: readonly number[]): ValidatorSet {
  return sortValidators(indexes.map((index) => ({ publicKey: lightSigner(index).publicKey, bondUt: 1 })));
}

/** A header with fields of its own. */
export function lightHeader(fields: Partial<BlockHeader> & Pick<BlockHeader, "height">): BlockHeader {
  return {
    version: HEADER_VERSION,
    chainId: LIGHT_CHAIN_ID,
    timeMs: BEGIN_MS + fields.height * STEP_MS,
    parentHash: ZEROS,
    lastCommitHash: ZEROS,
    txRoot: ZEROS,
    stateRoot: ZEROS,
    receiptsRoot: ZEROS,
    validatorsHash: ZEROS,
    nextValidatorsHash: ZEROS,
    paramsHash: ZEROS,
    evidenceRoot: ZEROS,
    proposer: ZEROS,
    txCount: 0,
    ...fields,
  };
}

/** A commit by those of `signing` who are in the set of `indexes`; the signers of the bits in order. */
export function lightCommit(header: BlockHeader, indexes: readonly number[], signing: readonly number[] = indexes, round = 0): Commit {
  const blockHash = headerHash(header);
  const { height, chainId } = header;
  const message = voteSignBytes(chainId, { type: "precommit", height, round, blockHash });
  const byKey = new Map(signing.map((index) => [lightSigner(index).publicKey, lightSigner(index)]));
  const bitmap = new Uint8Array(Math.ceil(indexes.length / 8));
  const signatures: Uint8Array[] = [];
  for (const [at, { publicKey }] of lightSet(indexes).entries()) {
    const signer = byKey.get(publicKey);
    if (signer === undefined) continue;
    bitmap[at >> 3] = (bitmap[at >> 3] ?? 0) | (1 << (at & 7));
    signatures.push(signer.sign(message));
  }
  return { height, round, blockHash, bitmap, signatures };
}

/** What a block of a chain may differ in. */
export interface LightBlockOptions {
  /** Those who sign; all of the set by default. */
  readonly signing?: readonly number[];
  readonly fields?: Partial<BlockHeader>;
  readonly round?: number;
}

/** A signed block on a parent, of the set `indexes`, naming `next` as the set of the next height. */
export function lightBlockOn(
  parent: TrustedBlock,
  indexes: readonly number[],
  next: readonly number[],
  { signing = indexes, fields = {}, round = 0 }: LightBlockOptions = {},
): TrustedBlock {
  const validators = lightSet(indexes);
  const header = lightHeader({
    height: parent.header.height + 1,
    parentHash: parent.hash,
    validatorsHash: validatorsHash(validators),
    nextValidatorsHash: validatorsHash(lightSet(next)),
    ...fields,
  });
  return { header, commit: lightCommit(header, indexes, signing, round), validators, hash: headerHash(header) };
}

/** Block 0 of a set. */
export function lightGenesis(indexes: readonly number[], next: readonly number[] = indexes): TrustedBlock {
  const validators = lightSet(indexes);
  const header = lightHeader({
    height: 0,
    validatorsHash: validatorsHash(validators),
    nextValidatorsHash: validatorsHash(lightSet(next)),
  });
  return { header, commit: null, validators, hash: headerHash(header) };
}

/** A chain of the sets by height; set 0 is that of genesis. Block `h` stands at index `h`. */
export function lightChain(
  sets: readonly (readonly number[])[],
  fork?: { readonly at: number; readonly base: readonly TrustedBlock[] },
): TrustedBlock[] {
  const blocks = fork === undefined ? [lightGenesis(sets[0] ?? [], sets[1])] : fork.base.slice(0, fork.at);
  for (let height = blocks.length; height < sets.length; height += 1) {
    const parent = blocks[height - 1];
    const [indexes, next] = [sets[height] ?? [], sets[height + 1] ?? sets[height] ?? []];
    if (parent === undefined) throw new Error("A chain begins with genesis");
    blocks.push(lightBlockOn(parent, indexes, next, fork === undefined ? {} : { fields: { stateRoot: "ff".repeat(32) } }));
  }
  return blocks;
}

/** The same set at all heights up to `height`. */
export function constantSets(indexes: readonly number[], height: number): readonly (readonly number[])[] {
  return Array.from({ length: height + 1 }, () => indexes);
}

/** The block of a height. */
export function blockOf(chain: readonly TrustedBlock[], height: number): TrustedBlock {
  const block = chain[height];
  if (block === undefined) throw new Error(`The chain has no block ${height}`);
  return block;
}

/** What a peer would serve: without what its receiver works out. */
export function untrusted({ header, commit, validators }: TrustedBlock): LightBlock {
  return { header, commit, validators };
}

/** Hashes of blocks. */
export function hashesOf(blocks: readonly { readonly hash: HashHex }[]): readonly HashHex[] {
  return blocks.map(({ hash }) => hash);
}
