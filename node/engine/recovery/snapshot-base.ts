// A chain that begins again with one of the folder's own snapshots: where its first blocks are not here, those above the snapshot can be
// executed from there. Nothing is believed of a snapshot that the header of its block does not prove.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { partsOf } from "#node/state/tree-place.ts";
import type { BlockRepository } from "#node/storage/chain/block-repository.ts";
import type { ChainBeginning, IdsOfBlock } from "#node/storage/snapshots/begin-chain.ts";
import { type JoinStore, openJoinStore } from "#node/storage/snapshots/join-store.ts";
import { openProvenSnapshot } from "#node/storage/snapshots/proven-snapshot.ts";
import { heightOfSnapshot, snapshotName } from "#node/storage/snapshots/snapshot-file.ts";
import { decode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { BlockHeader, HashHex, Height } from "#shared/protocol/chain/header.ts";
import { firstProposerHeight } from "#shared/protocol/chain/proposers.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { receiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { chainBeginning } from "./chain-beginning.ts";
import type { StoppedFolder } from "./stopped-folder.ts";

type Chain = Pick<StoppedFolder, "paths" | "genesis" | "database">;

/** A snapshot from which the folder's blocks lead on. */
export interface SnapshotBase {
  readonly height: Height;
  readonly file: string;
}

/** Those of a folder, the lowest first. @throws CodedError of the storage */
export function snapshotBases({ paths, database: { blocks } }: Pick<Chain, "paths" | "database">): readonly SnapshotBase[] {
  const names = existsSync(paths.snapshots) ? readdirSync(paths.snapshots) : [];
  const heights = names.map(heightOfSnapshot).filter((height) => height !== undefined);
  return heights
    .filter((height) => hasWindow(blocks, height))
    .sort((a, b) => a - b)
    .map((height) => ({ height, file: join(paths.snapshots, snapshotName(height)) }));
}

/**
 * Writes the beginning of a chain into a new file: the state of a snapshot, and what the next blocks need of those below it.
 * @throws CodedError STORAGE_CORRUPT where the snapshot is not the state of its block, or of the storage
 */
export function beginWith({ height, file }: SnapshotBase, target: string, { genesis, database }: Omit<Chain, "paths">): void {
  const { blocks } = database;
  const record = blocks.get(height);
  assertInvariant(record !== undefined && record.commit !== null, `Block ${height} or its commit is missing`);
  const { block, receipts, commit } = record;
  const identity = { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) };
  const store = openJoinStore(target, { height, stateRoot: block.header.stateRoot }, identity);
  try {
    withRemedy(() => copyState(file, store));
    const headers = headersBelow(blocks, block.header);
    assertInvariant(headers !== undefined, `Headers below block ${height} are missing`);
    const sets = setsOf(database, [...headers, block.header]);
    const proven = {
      block,
      receipts,
      commit,
      headers,
      ids: idsOf(blocks, block.header, headers),
      sets,
      first: firstParams(genesis.params),
    };
    store.finish((state) => withCommits(chainBeginning(state, proven), blocks));
  } finally {
    store.close();
  }
}

/** True where the block of a height is here, and of those below it all that the next ones need. */
function hasWindow(blocks: BlockRepository, height: Height): boolean {
  const lowest = blocks.firstHeight();
  if (height < lowest || height > (blocks.tipHeight() ?? -1)) return false;
  const at = blocks.header(height);
  const headers = at && headersBelow(blocks, at);
  if (at === undefined || headers === undefined) return false;
  // Transactions of the window must be known: none of them may come a second time.
  return headers.every((header) => header.height >= lowest || header.txCount === 0 || !isRecent(header, at));
}

/** Headers below a block down to where the order of proposers begins and the replay window ends, ascending; undefined where one is missing. */
function headersBelow(blocks: BlockRepository, at: BlockHeader): readonly BlockHeader[] | undefined {
  const lowest = firstProposerHeight(at.height + 1);
  const headers: BlockHeader[] = [];
  for (let height = at.height - 1; height > 0; height -= 1) {
    const header = blocks.header(height);
    if (header === undefined) return undefined;
    headers.push(header);
    if (height <= lowest && !isRecent(header, at)) break;
  }
  return headers.reverse();
}

const isRecent = ({ timeMs }: BlockHeader, at: BlockHeader): boolean => timeMs > at.timeMs - SEEN_WINDOW_MS;

function idsOf(blocks: BlockRepository, at: BlockHeader, headers: readonly BlockHeader[]): readonly IdsOfBlock[] {
  return headers
    .filter((header) => header.txCount > 0 && isRecent(header, at))
    .map(({ height }) => {
      const receipts = blocks.encodedReceipts(height);
      assertInvariant(receipts !== undefined, `Block ${height} is missing`);
      return { height, ids: decode(receiptsCodec, receipts).map(({ txId }) => txId) };
    });
}

function setsOf({ validatorSets }: Chain["database"], headers: readonly BlockHeader[]): ReadonlyMap<HashHex, ValidatorSet> {
  const sets = new Map<HashHex, ValidatorSet>();
  for (const { height, validatorsHash: hash } of headers) {
    if (sets.has(hash)) continue;
    const set = validatorSets.at(height);
    assertInvariant(validatorsHash(set, nativeSha256) === hash, `The validators of block ${height} are other ones`);
    sets.set(hash, set);
  }
  return sets;
}

/** Copies a state by chunks, each proven as one of another node would be. */
function copyState(file: string, store: JoinStore): void {
  const snapshot = openProvenSnapshot(file, store.goal);
  try {
    const waiting = [...store.missing()];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const found = snapshot.read(place);
      if ("levels" in found) {
        const parts = partsOf(place, found.levels);
        store.split(place, parts);
        waiting.push(...parts);
      } else store.store(place, found.prove());
    }
  } finally {
    snapshot.close();
  }
  assertInvariant(store.isComplete(), `The state of block ${store.goal.height} is not the one of its header`);
}

/** The chain is as good as before, and without the file another snapshot, or none, is taken. */
function withRemedy<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
    throw new CodedError("STORAGE_CORRUPT", `${error.message}; remove the file`, { cause: error });
  }
}

/** Light nodes still get the commits of the headers. */
function withCommits(beginning: ChainBeginning, blocks: BlockRepository): ChainBeginning {
  const headers = beginning.headers.map((each) => {
    const commitRecord = blocks.encodedCommit(each.header.height);
    return commitRecord === undefined ? each : { ...each, commitRecord };
  });
  return { ...beginning, headers };
}
