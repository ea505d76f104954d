// Old blocks of a running node go into files of their own, those that are too old go, and files that are damaged come again from other nodes.

import { randomInt } from "node:crypto";
import type { NodeConfig } from "#node/config/node-config.ts";
import { formatRetention, type RetentionConfig } from "#node/config/retention.ts";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type HistorySealer, type KeptProgress, startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { type Border, HEADER_MARGIN, retentionBorder } from "#node/storage/history/sealing/retention-border.ts";
import type { OnDamagedSegment } from "#node/storage/history/sealing/seal-segment.ts";
import { HistoryRepair } from "#node/sync/history-repair.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { RETENTION_S } from "#shared/protocol/primitives/limits.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { BlockHolders, type PossibleHolder } from "./block-holders.ts";
import { HolderProofs } from "./holder-proofs.ts";
import { keptAccounts } from "./kept-accounts.ts";
import { type NamedAccounts, OwnAccounts } from "./own-accounts.ts";
import type { OlderReads } from "./own-history.ts";

const DAY_MS = 86_400_000;
/** What may go while no one else has it. */
const NOTHING = { bodiesFrom: 0, headersFrom: 0 } satisfies Partial<Border>;
/** Files that one line of the log names. */
const NAMED_FILES = 20;
/** Bytes of a block beside its transactions, about. */
const FRAME_BYTES = 1_000;

/** What nodes count on that ask this one. */
export interface RetentionNeeds {
  /** Heights of states that they may begin with. */
  readonly snapshots: readonly Height[];
  /** How long headers and commits are promised, seconds. */
  readonly promisedS: number;
  readonly peers: () => readonly PossibleHolder[];
}

/** The old blocks of a running node. */
export interface OldBlocks {
  readonly sealer: HistorySealer;
  stop(): Promise<void>;
  /** Seals what is committed. */
  follow(executor: BlockExecutor): void;
  /** From now on drops what is too old, not needed, and to be had from others, who are asked whether it is; nothing where there are none. */
  drop(requester: LightRequester | undefined, needs: () => RetentionNeeds): void;
  /** From which block on the node means to keep all. */
  keepsFrom(): Height;
  /** Blocks that what finds old ones may cover in one file; undefined where it may be any number. */
  maxRunBlocks(): number | undefined;
  /** What the node keeps of old blocks, in the words of the interface. */
  describe(older: OlderReads): Output<"getKeptHistory">;
}

/**
 * Starts sealing. Where there are peers, the node starts without damaged files, whose blocks come from these.
 * @throws CodedError STORAGE_CORRUPT naming a file that is missing, cut off or another one.
 */
export function openOldBlocks(
  database: ChainDatabase,
  log: Log,
  { p2p, retain, own, named }: Pick<NodeConfig, "p2p" | "retain" | "own"> & { readonly named: NamedAccounts | undefined },
): OldBlocks {
  const { file, history, blocks } = database;
  const onFailure = (error: unknown, retryMs: number): void =>
    log.error(
      { error: String(error), retry_ms: retryMs },
      "Old blocks stay where they are: they could not be moved into a file, or dropped; it is tried again",
    );
  const onDamaged: OnDamagedSegment = (segment, error) => {
    history.noteDamage(segment);
    log.error({ error: error.message }, "A file of old blocks is damaged: the node starts without it, and asks other nodes for the blocks");
  };
  // Until it is known what others need, nothing is dropped.
  let needs: (() => RetentionNeeds) | undefined;
  const dropped = retentionInWords(database, log, { retain, hasPeers: p2p !== undefined });
  let accounts: OwnAccounts | undefined;
  const isKnown = (): boolean => named === undefined || accounts?.isKnown === true;
  const onChange = (): void => sealer.look();
  let holders: BlockHolders | undefined;
  const border = (): Border | undefined => {
    if (dropped === undefined || needs === undefined || holders === undefined || !isKnown()) return undefined;
    const read = needs();
    return heldPart(database, borderOf(blocks, dropped, read), holders, read.peers);
  };
  const sealer: HistorySealer = startHistorySealer({
    ...{ file, history, tipHeight: blocks.tipHeight() ?? -1, onFailure, border, own },
    onKept: keptLog(log),
    onDropped: (to) => log.info({ from_height: to + 1 }, "Blocks below were dropped"),
    onDamagedDrop: (reason): void => {
      history.noteError(new CodedError("STORAGE_CORRUPT", reason));
      log.warn({ reason }, "Old blocks are not dropped yet: a file with headers that stay is damaged");
    },
    onOthers: (names): void => {
      const facts = { files: names.slice(0, NAMED_FILES), count: names.length };
      const words = "The folder of old blocks has files that the chain does not know: blocks that follow its newest one are taken up";
      log.warn(facts, `${words}, the other files stay; remove what you do not need`);
    },
    ...(p2p === undefined ? {} : { onDamaged }),
  });
  if (named !== undefined) accounts = new OwnAccounts({ store: database.own, named, timers: systemTimers, log, onChange });
  onChange();
  return {
    sealer,
    stop: async (): Promise<void> => {
      accounts?.stop();
      holders?.stop();
      await sealer.stop();
    },
    describe: (older): Output<"getKeptHistory"> => {
      border();
      const isDropping = isKnown() ? (holders?.isWaiting === true ? "no_holder" : "on") : "accounts_unknown";
      const idle = retain === undefined ? "off" : "alone";
      return {
        retain: formatRetention(retain),
        dropping: dropped === undefined ? idle : isDropping,
        accounts: keptAccounts(database, own, older),
      };
    },
    maxRunBlocks: () => border()?.maxRunBlocks,
    follow: (executor): void => sealCommitted(sealer, executor),
    drop: (requester, read): void => {
      needs = read;
      holders = requester && openHolders(blocks, requester, log, onChange);
      onChange();
    },
    // Until it is known what others need, no block is promised.
    keepsFrom: () =>
      dropped === undefined ? 0 : needs === undefined ? (blocks.tipHeight() ?? 0) : borderOf(blocks, dropped, needs()).bodiesFrom,
  };
}

/** Finds who has what is to go. */
function openHolders(blocks: ChainDatabase["blocks"], peers: LightRequester, log: Log, onChange: () => void): BlockHolders {
  const common = { clock: systemClock, log };
  const hashOf = (height: Height): HashHex | undefined => blocks.summary(height)?.hash;
  const proofs = new HolderProofs({ ...common, peers, hashOf, random: (below): number => randomInt(below), onProven: onChange });
  return new BlockHolders({ ...common, timers: systemTimers, proofs, onLook: onChange });
}

/** Of what is too old, what others have. */
function heldPart({ blocks, history }: ChainDatabase, wanted: Border, holders: BlockHolders, peers: RetentionNeeds["peers"]): Border {
  if (!history.hasBelow(wanted.bodiesFrom)) {
    holders.rest();
    return wanted;
  }
  const goesUpTo = (to: Height): boolean => history.hasBelow(to + 1);
  const to = holders.heldTo(peers(), { first: blocks.firstHeight(), last: wanted.bodiesFrom - 1, goesUpTo });
  if (to === undefined) return { ...wanted, ...NOTHING };
  return { ...wanted, bodiesFrom: to + 1, headersFrom: Math.max(0, Math.min(wanted.headersFrom, to + 1 - HEADER_MARGIN)) };
}

/** Time between two lines of the log about entries that are kept, ms. */
const KEPT_LOG_MS = 5_000;

/** Says every few seconds how far it is. */
function keptLog(log: Log): (progress: KeptProgress) => void {
  let saidAtMs = systemClock.monotonicMs();
  return ({ first, last, entries }) => {
    const nowMs = systemClock.monotonicMs();
    if (nowMs < saidAtMs + KEPT_LOG_MS) return;
    saidAtMs = nowMs;
    log.info({ from_height: first, to_height: last, entries }, "Entries of own accounts are kept before their blocks are dropped");
  };
}

/** What is kept; undefined where nothing is dropped. Says so in words. */
function retentionInWords(
  { history, blocks }: ChainDatabase,
  log: Log,
  { retain, hasPeers }: { readonly retain: RetentionConfig; readonly hasPeers: boolean },
): RetentionConfig {
  const facts = { retain: formatRetention(retain), from_height: blocks.firstHeight() };
  if (retain === undefined) {
    if (history.droppedTo() !== undefined)
      log.info(facts, "The node drops no blocks from now on; those that were dropped before do not come back");
    return undefined;
  }
  if (!hasPeers) {
    log.warn(facts, "The node drops no blocks while it stays alone: it could not fetch them again");
    return undefined;
  }
  log.info(facts, "The node drops blocks that are older than what it keeps");
  if (history.droppedTo() !== undefined && wouldKeep(blocks, retain, blocks.firstHeight() - 1))
    log.info(facts, "It keeps more than before from now on; blocks that were dropped before do not come back");
  return retain;
}

/** True where a dropped block would stay. Headers of the last ones are here. */
function wouldKeep(blocks: ChainDatabase["blocks"], retain: NonNullable<RetentionConfig>, height: Height): boolean {
  const tip = blocks.tipHeight() ?? 0;
  if ("blocks" in retain) return height > tip - retain.blocks;
  const [timeMs, tipMs] = [height, tip].map((at) => blocks.summary(at)?.timeMs ?? 0) as [number, number];
  return timeMs > tipMs - retain.days * DAY_MS;
}

function borderOf(blocks: ChainDatabase["blocks"], retain: NonNullable<RetentionConfig>, { snapshots, promisedS }: RetentionNeeds): Border {
  const timeMsAt = (height: Height): number | undefined => blocks.summary(height)?.timeMs;
  const chain = { tip: blocks.tipHeight() ?? 0, firstHeader: blocks.firstHeader(), timeMsAt };
  return retentionBorder(retain, chain, { snapshots, headersMs: Math.max(RETENTION_S, promisedS) * 1_000 });
}

/** Tells the sealer what is committed. */
function sealCommitted(sealer: HistorySealer, executor: BlockExecutor): void {
  executor.onCommit(({ block: { header, transactions } }) =>
    sealer.committed(
      header.height,
      transactions.reduce((sum, tx) => sum + encodeTransaction(tx).length, FRAME_BYTES),
    ),
  );
}

/** Replaces damaged files out of what other nodes have. Ends with `opened`. */
export function openHistoryRepair(database: ChainDatabase, peers: LightRequester, log: Log, opened: AsyncDisposableStack): void {
  const repair = opened.adopt(new HistoryRepair({ database, peers, timers: systemTimers, log: log.child("history") }), (running) =>
    running.stop(),
  );
  repair.start();
}
