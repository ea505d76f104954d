// A node that has joined a chain without its older blocks, and nodes that have them: honest ones on a real chain, and what a test makes of them.
import { join } from "node:path";
import { Explorer } from "#node/explorer/explorer.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import type { LightRequest } from "#node/light/wire/light-requests.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import type { ChainStatus, PeerOffence, PeerView, ReceivedBlock } from "#node/network/peer-network.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { openFillTables } from "#node/storage/snapshots/backfill/fill-tables.ts";
import { Backfill, type BackfillDependencies } from "#node/sync/backfill/backfill.ts";
import type { BackfillThread } from "#node/sync/backfill/backfill-thread.ts";
import { BackfillWork } from "#node/sync/backfill/backfill-work.ts";
import { SnapshotReads } from "#node/sync/snapshots/snapshot-reads.ts";
import { snapshotRequestCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { decode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import { beginAtTip } from "../chain/begun-chain.ts";
import { CONTRACTS_GENESIS } from "../chain/contract-calls.ts";
import { openTestChain, type TestChain } from "../chain/test-chain.ts";

/** What a peer gives; undefined where it does not answer. */
export interface PlayedPeer {
  readonly status: ChainStatus;
  blocks(from: number, count: number): Promise<readonly ReceivedBlock[]>;
  snapshot(request: Uint8Array): Promise<Uint8Array>;
  light(request: LightRequest): Promise<LightResponse>;
}

/** Two folders with one chain: all of it, and what a node has that joined after a block. */
export interface BackfillWorld {
  readonly whole: TestChain;
  readonly wholePath: string;
  readonly joinedPath: string;
  /** Reopens it: a node that was killed starts again. */
  joined(): TestChain;
  reopen(): TestChain;
  readonly peers: Map<string, PlayedPeer>;
  readonly offences: string[];
  readonly said: string[];
  /** Blocks that are requested are counted. */
  requested: number;
  /** Commits the same block on both chains. */
  commit(transactions: readonly Transaction[]): Promise<void>;
  honest(): PlayedPeer;
  /** What a backfill of the joined node depends on. */
  dependencies(): BackfillDependencies;
  /** A backfill of the joined node; it is started by the test. */
  open(over?: Partial<BackfillDependencies>): Backfill;
  close(): void;
}

/** Makes it: `before` are the transactions of the blocks up to the one after which the node joins. */
export function createBackfillWorld(
  path: string,
  before: readonly (readonly Transaction[])[],
  genesis: Genesis = CONTRACTS_GENESIS,
): BackfillWorld {
  const whole = openTestChain(join(path, "whole"), { genesis });
  for (const transactions of before) whole.commit(transactions);
  beginAtTip(whole, join(path, "joined"), genesis);
  whole.close();
  return openBackfillWorld(path, genesis);
}

/** Opens one that was made in a folder, or a copy of it. */
export function openBackfillWorld(path: string, genesis: Genesis = CONTRACTS_GENESIS): BackfillWorld {
  const [wholePath, joinedPath] = [join(path, "whole"), join(path, "joined")];
  const whole = openTestChain(wholePath, { genesis });
  let joined = openTestChain(joinedPath, { genesis });
  const reader = openChainReader(wholePath);
  const lightReads = new LightReads(reader);
  const snapshotReads = new SnapshotReads(join(wholePath, "snapshots"), reader.blocks);
  const explorer = new Explorer(reader);
  const world: BackfillWorld = {
    ...{ whole, wholePath, joinedPath },
    joined: () => joined,
    reopen: () => {
      joined.close();
      joined = openTestChain(joinedPath, { genesis });
      return joined;
    },
    peers: new Map(),
    offences: [],
    said: [],
    requested: 0,
    commit: async (transactions) => {
      const { height } = whole.executor.tip();
      whole.commit(transactions);
      await joined.applyBatch(whole.decidedAfter(height));
    },
    honest: () => ({
      status: { height: whole.executor.tip().height, tipHash: whole.executor.tip().hash, firstHeight: 1 },
      blocks: (from, count) => {
        world.requested += count;
        return Promise.resolve(receivedBlocks(whole, from, count));
      },
      snapshot: (request) => {
        const decoded = decode(snapshotRequestCodec, request);
        if (decoded.kind === "heights") throw new Error("no heights are requested");
        return Promise.resolve(snapshotReads.respond(decoded));
      },
      light: (request) => {
        if (request.kind === "told") {
          const { txid } = JSON.parse(request.input) as { readonly txid: string };
          return Promise.resolve({ kind: "told", json: JSON.stringify({ to: explorer.getTransaction(txid)?.to }) });
        }
        if (request.kind === "submit" || request.kind === "fork") throw new Error("nothing is submitted");
        return Promise.resolve(decode(lightResponseCodec, lightReads.respond(request)));
      },
    }),
    dependencies: () => dependenciesOf(world, genesis),
    open: (over = {}) => new Backfill({ ...dependenciesOf(world, genesis), ...over }),
    close: () => {
      snapshotReads.close();
      reader.close();
      whole.close();
      joined.close();
    },
  };
  return world;
}

function receivedBlocks({ database: { blocks } }: TestChain, from: number, count: number): readonly ReceivedBlock[] {
  return Array.from({ length: count }, (_, index) => from + index).flatMap((height) => {
    const [header, commit, encoded] = [blocks.header(height), blocks.commit(height), blocks.encodedBlock(height)];
    if (header === undefined || commit === undefined || encoded === undefined) return [];
    return [{ header, commit, encoded, read: () => blocks.get(height)?.block }];
  });
}

function dependenciesOf(world: BackfillWorld, genesis: Genesis): BackfillDependencies {
  const peerOf = (name: string): PlayedPeer => {
    const peer = world.peers.get(name);
    if (peer === undefined) throw new CodedError("UPSTREAM_FAILED", "It is gone");
    return peer;
  };
  const report = (peer: string, offence: PeerOffence): void => void world.offences.push(`${peer} ${offence}`);
  const requester = {
    ask: async (name: string, request: LightRequest): Promise<LightResponse> => await peerOf(name).light(request),
    report,
    lightBlock: async (name: string, height: number) => {
      const response = await peerOf(name).light({ kind: "block", height, knownSet: null });
      return response.kind === "block" ? { ...response, validators: response.validators ?? [] } : undefined;
    },
  } as Pick<LightRequester, "ask" | "report" | "lightBlock">;
  const timers: Timers = { setTimer: (_ms, work): CancelTimer => hostTimers.setTimer(1, work) };
  const say = (details: object, message: string): void => void world.said.push(`${message} ${JSON.stringify(details)}`);
  return {
    database: world.joined().database,
    thread: threadHere(world.joinedPath, genesis),
    network: {
      peers: () => [...world.peers].map(([name, { status }]) => ({ name, status }) as PeerView),
      requestBlocks: async (name, from, count) => await peerOf(name).blocks(from, count),
      requestSnapshot: async (name, { bytes }) => await peerOf(name).snapshot(bytes),
      report,
    },
    requester,
    isBusy: () => false,
    exclusive: (work) => work(),
    retain: undefined,
    maxRunBlocks: () => undefined,
    clock: { monotonicMs: () => performance.now() },
    timers,
    log: { info: say, warn: say, error: say },
  };
}

/** The work of the thread, done here. */
export function threadHere(directory: string, genesis: Genesis): BackfillThread {
  let tables: ReturnType<typeof openFillTables> | undefined;
  let work: BackfillWork | undefined;
  return {
    call: (method, ...input): Promise<never> => {
      tables ??= openFillTables(directory);
      work ??= new BackfillWork(tables, firstParams(genesis.params));
      const call = work[method] as (...args: readonly unknown[]) => never;
      try {
        return Promise.resolve(call.apply(work, input));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    stop: (): Promise<void> => {
      work?.abandon();
      tables?.close();
      [work, tables] = [undefined, undefined];
      return Promise.resolve();
    },
  };
}
