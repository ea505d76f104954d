// What a chain begins with beside the state and its window: the block itself, and the validators who signed the headers below.

import type { ProvenBeginning } from "#node/engine/recovery/chain-beginning.ts";
import type { LightPeers } from "#node/light/light-peers.ts";
import type { ProvenBody } from "#node/light/light-source.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader, HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { FetchedState } from "./fetch-state.ts";
import type { OnJoinStep } from "./join-steps.ts";

export interface FetchBeginningDependencies {
  /** Transactions and receipts of a verified block. */
  readonly body: (height: Height) => Promise<ProvenBody | undefined>;
  readonly peers: Pick<LightPeers, "peers" | "lightBlock">;
  /** Parameters of the network's first block. */
  readonly first: NetworkParams;
  readonly onStep?: OnJoinStep;
}

/** Fetches the rest. @throws CodedError UPSTREAM_FAILED when no peer serves it */
export async function fetchBeginning(
  { body, peers, first, onStep = (): void => undefined }: FetchBeginningDependencies,
  { block: at, window }: Pick<FetchedState, "block" | "window">,
  signal: AbortSignal,
): Promise<ProvenBeginning> {
  const { height } = at.header;
  onStep({ name: "block" });
  const proven = await body(height);
  if (proven === undefined || at.commit === null) throw missing(`block ${height}`);
  const sets = await fetchSets({ peers, onStep }, at, window.headers, signal);
  const { block, receipts } = proven;
  return { block, receipts, commit: at.commit, headers: window.headers, ids: window.ids, sets, first };
}

/** Each set once: the headers, which are proven, hold their hashes. */
async function fetchSets(
  { peers, onStep }: Required<Pick<FetchBeginningDependencies, "peers" | "onStep">>,
  at: TrustedBlock,
  headers: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<ReadonlyMap<HashHex, ValidatorSet>> {
  const sets = new Map<HashHex, ValidatorSet>([[at.header.validatorsHash, at.validators]]);
  const total = new Set([at.header, ...headers].map((header) => header.validatorsHash)).size;
  for (const header of headers) {
    if (sets.has(header.validatorsHash)) continue;
    onStep({ name: "validators", done: sets.size, total });
    sets.set(header.validatorsHash, await fetchSet(peers, header, signal));
  }
  return sets;
}

async function fetchSet(
  peers: FetchBeginningDependencies["peers"],
  { height, validatorsHash: hash }: BlockHeader,
  signal: AbortSignal,
): Promise<ValidatorSet> {
  for (const { name } of peers.peers()) {
    const block = await peers.lightBlock(name, height, signal).catch((error: unknown) => {
      if (isCodedError(error)) return undefined;
      throw error;
    });
    if (block !== undefined && validatorsHash(block.validators, nativeSha256) === hash) return block.validators;
  }
  throw missing(`the validators of block ${height}`);
}

function missing(what: string): CodedError {
  return new CodedError("UPSTREAM_FAILED", `No connected node serves ${what}`);
}
