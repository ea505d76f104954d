// What a full node reads of blocks that it does not hold: by the code of light nodes, over its own state and headers.
import type { DataFolder } from "#node/config/files/data-folder.ts";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import { AddressCache } from "#node/explorer/address-cache.ts";
import { chainTransaction } from "#node/explorer/queries/explorer-queries.ts";
import { createArchivePeers } from "#node/light/archive/archive-peers.ts";
import { createArchiveSource } from "#node/light/archive/archive-source.ts";
import { Archive } from "#node/light/archive/open-archive.ts";
import { OwnHeaders } from "#node/light/archive/own-headers.ts";
import { createTrustedGenesis } from "#node/light/chain/trusted-genesis.ts";
import { type LightRequester, NetworkLightPeers, type NetworkLightPeersDependencies } from "#node/light/peers/network-light-peers.ts";
import { createLightExplorer } from "#node/light/queries/light-explorer.ts";
import { createLightProofs } from "#node/light/queries/light-proofs.ts";
import { createLightReader } from "#node/light/queries/light-reader.ts";
import type { Log } from "#node/observability/log.ts";
import type { ArchiveReads, EntriesBelow } from "#node/queries/archive-reads.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CLOCK_DRIFT_MS, TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { type BackfillOptions, type BackfillReads, NO_BACKFILL, openBackfill } from "./backfill.ts";
import { type OlderReads, openOwnHistory } from "./own-history.ts";
import { openHistoryRepair } from "./sealing.ts";

export interface ArchiveOptions {
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  readonly network: (NetworkLightPeersDependencies["network"] & BackfillOptions["network"]) | undefined;
  /** What fetching older blocks depends on beside. */
  readonly backfill: Pick<BackfillOptions, "isBusy" | "exclusive" | "retain" | "maxRunBlocks">;
  /** Own accounts of the configuration. */
  readonly accounts: readonly string[];
  readonly verify: VerifySignature;
  readonly knownVersions: readonly number[];
  readonly log: Log;
}

/** Old blocks of others. */
export interface OpenedArchive {
  /** Undefined for a node alone. */
  readonly archive: Archive | undefined;
  /** How far fetching older blocks is. */
  readonly backfill: BackfillReads;
  /** What is missing of own accounts. */
  readonly older: OlderReads;
  /** Requests to all peers; undefined for a node alone. */
  readonly requester: LightRequester | undefined;
}

/** Reads, repairs what is damaged here, and fetches what a node joined without. Ends with `opened`. */
export function openArchive(
  { folder, database, network, verify, knownVersions, log: nodeLog, backfill: options, accounts }: ArchiveOptions,
  opened: AsyncDisposableStack,
): OpenedArchive {
  if (network === undefined) return { archive: undefined, backfill: NO_BACKFILL, older: () => undefined, requester: undefined };
  const { genesis } = folder;
  const log = nodeLog.child("archive");
  const ending = new AbortController();
  opened.defer(() => ending.abort());
  const { signal } = ending;
  const common = { clock: systemClock, timers: systemTimers };
  // Of both: a peer takes so many requests of this node, whatever they are for.
  const requester = new NetworkLightPeers({ network, ...common });
  openHistoryRepair(database, requester, nodeLog, opened);
  const backfill = openBackfill({ ...options, folder, database, network, requester, log: nodeLog }, opened);
  const firstHeight = (): number => database.blocks.firstHeight();
  let received = 0;
  const peers = createArchivePeers({
    peers: requester,
    firstHeight,
    onBytes: (bytes) => {
      received += bytes;
      archive.noteBytes(bytes);
    },
    isOver: () => archive.isOver,
  });
  const hash = nativeSha256;
  const chain = new OwnHeaders({
    ...{ database, peers, signal, ...common },
    genesis: createTrustedGenesis(genesis),
    rules: {
      ...{ chainId: genesis.chain_id, verify, hash, knownVersions },
      trustingPeriodMs: TRUSTING_PERIOD_MS,
      clockDriftMs: CLOCK_DRIFT_MS,
    },
    onContradiction: (trusted, other): void =>
      log.error({ height: other.header.height, trusted: trusted.hash, other: other.hash }, "Validators signed another block of the past"),
  });
  const source = createArchiveSource({ chain, peers, hash, timers: systemTimers, log, state: database.state });
  const reader = createLightReader(source, genesis);
  const queries = { explorer: createLightExplorer(reader), proofs: createLightProofs(reader) };
  const named = { addresses: new AddressCache() };
  const archive = new Archive({
    ...{ queries, firstHeight, signal, ...common },
    nodes: (): number => peers.peers().length,
    // Blocks are written and dropped by other threads.
    entriesBelow: (account): EntriesBelow => database.guard(() => database.explorer.history.missing(account)),
    entriesOf: async (account, range, count): ReturnType<ArchiveReads["entriesOf"]> =>
      (await reader.histories.among(account, range, count)).map((entry) => chainTransaction(named, entry)),
    onError: (error): void => log.error({ err: error }, "A block that this node does not hold could not be read"),
  });
  const older = openOwnHistory(
    {
      stepTo: (height, headers) => chain.stepTo(height, headers),
      ...{ database, source, directory: folder.paths.root, configured: accounts, log: nodeLog },
      first: firstParams(genesis.params),
      // What comes with the blocks is not fetched by itself.
      isBusy: () => options.isBusy() || backfill.view() !== undefined,
      hasPeers: () => peers.peers().length > 0,
      receivedBytes: () => received,
    },
    opened,
  );
  return { archive, backfill, older, requester };
}
