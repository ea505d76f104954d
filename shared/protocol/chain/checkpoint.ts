// A checkpoint: height and hash of a block that a trusted person says is on the chain. Text form `height:hash`.
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { HashHex, Height } from "./header.ts";

/** A block by height and hash. */
export interface Checkpoint {
  readonly height: Height;
  readonly hash: HashHex;
}

/** Checkpoints that a release carries, by the genesis hash of their network, ascending. */
export type ReleaseCheckpoints = Readonly<Record<HashHex, readonly Checkpoint[]>>;

/** Those of this release. There is no public network yet. */
export const RELEASE_CHECKPOINTS: ReleaseCheckpoints = {};

const FORM = "a checkpoint is the height of a block above 0, a colon and the 64 hex digits of its hash, as 1200:4f0c…";
const HEIGHT = /^[1-9]\d{0,15}$/;

/** Checkpoint of a text; space around it does not count. @throws CodedError CONFIG_INVALID that says what is wrong. */
export function parseCheckpoint(text: string): Checkpoint {
  const shown = text.slice(0, 100);
  const parts = text.trim().split(":");
  const [heightText = "", hash = ""] = parts;
  if (parts.length !== 2) throw new CodedError("CONFIG_INVALID", `"${shown}" is no checkpoint: ${FORM}`);
  const height = Number(heightText);
  if (!HEIGHT.test(heightText) || !Number.isSafeInteger(height))
    throw new CodedError("CONFIG_INVALID", `The height of the checkpoint "${shown}" is no whole number above 0: ${FORM}`);
  if (!isHex(hash, 32)) throw new CodedError("CONFIG_INVALID", `The hash of the checkpoint "${shown}" is not 64 hex digits: ${FORM}`);
  return { height, hash: hash.toLowerCase() };
}

/** Text of {@link parseCheckpoint}. */
export function formatCheckpoint({ height, hash }: Checkpoint): string {
  return `${height}:${hash}`;
}

/** The checkpoint to begin with: the given one, else the newest of the release; undefined when there is none. */
export function chooseCheckpoint(
  genesisHash: HashHex,
  given: Checkpoint | undefined,
  releases: ReleaseCheckpoints = RELEASE_CHECKPOINTS,
): Checkpoint | undefined {
  return given ?? (Object.hasOwn(releases, genesisHash) ? releases[genesisHash]?.at(-1) : undefined);
}
