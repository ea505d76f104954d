// Blocks of a node into the database, in their order and each exactly once. Any process may do it, one at a time does, and another one
// continues when it ends.

import type { ChainFeedPage } from "#node/storage/chain/feed/chain-feed.ts";
import type { ChainPosition } from "#node/storage/explorer/block-summary.ts";
import type { StateAddition } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-rows.ts";
import { type OpenExplorer, withExplorer } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-writer.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Timers } from "#shared/util/clock.ts";
import { CURRENT_NOTE_MS, FEED_PAUSE_MS, FEED_RESPONSE_BYTES, FILL_NOTICE_MS } from "../gateway-limits.ts";
import { feedRefusal, type NodeLinks } from "../node-links.ts";
import { repeatRounds } from "../rounds.ts";
import { blocksOfPage, recordsOfPage } from "./fed-blocks.ts";
import { copyQuery, hasMoreState, isNews, stateOfPage } from "./fed-state.ts";

export interface ExplorerFeederDependencies {
  readonly database: PostgresDatabase;
  readonly chainId: string;
  readonly links: Pick<NodeLinks, "request">;
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
  /** How far the first fill is. */
  readonly onProgress: (height: number, tip: number) => void;
}

/** What a round came to; a problem is reported once the transaction is committed. */
interface Round {
  readonly added: number;
  readonly hasMore: boolean;
  readonly problem?: CodedError;
}

/** A page without blocks. */
interface NothingNew extends Pick<ChainFeedPage, "tip" | "first"> {
  readonly state: StateAddition | undefined;
  readonly askedAtMs: number;
}

const { method, path } = rawEndpoints.readChainFeed;
const NOTHING: Round = { added: 0, hasMore: false };

/** Feeds the explorer. */
export class ExplorerFeeder {
  readonly #dependencies: ExplorerFeederDependencies;
  #stop: (() => Promise<void>) | undefined;
  #added = 0;
  #notedAtMs = Number.NEGATIVE_INFINITY;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: ExplorerFeederDependencies) {
    this.#dependencies = dependencies;
  }

  /** Blocks that this process has added. */
  get added(): number {
    return this.#added;
  }

  start(): void {
    const { timers, onError } = this.#dependencies;
    this.#stop ??= repeatRounds({
      timers,
      idlePauseMs: FEED_PAUSE_MS,
      work: () => this.round(),
      onError: (error) => onError(error, "Blocks of a node could not be taken into the database: the explorer asks the node"),
    });
  }

  async close(): Promise<void> {
    await this.#stop?.();
  }

  /** True when there is more at once. */
  async round(): Promise<boolean> {
    const { added, hasMore, problem } =
      (await withExplorer(this.#dependencies.database, (explorer) => this.#roundWith(explorer))) ?? NOTHING;
    this.#added += added;
    if (problem !== undefined) throw problem;
    return hasMore;
  }

  async #roundWith(explorer: OpenExplorer): Promise<Round> {
    const { end } = explorer;
    const askedAtMs = performance.now();
    const page = await this.#readPage(explorer);
    const { tip, first } = page;
    if (end !== undefined && !(page.matches && (await isSameBelow(explorer, end, tip)))) {
      await explorer.noteConflict();
      return { ...NOTHING, problem: conflict(end, tip) };
    }
    const state = stateOfPage(page, explorer);
    if (page.blocks.length === 0) return await this.#roundWithoutBlocks(explorer, { tip, first, state, askedAtMs });
    const blocks = blocksOfPage(page, this.#dependencies.chainId, end);
    const last = blocks.at(-1)?.height ?? 0;
    await explorer.add({ blocks, records: recordsOfPage(page), recordsHeight: tip.height, state });
    const isBehind = last < tip.height;
    if (isBehind) this.#report(last, tip.height);
    else await explorer.noteCurrent((performance.now() - askedAtMs) / 1_000);
    return { added: blocks.length, hasMore: isBehind || hasMoreState(state) };
  }

  async #roundWithoutBlocks(explorer: OpenExplorer, { tip, first, state, askedAtMs }: NothingNew): Promise<Round> {
    const { end } = explorer;
    if (end === undefined) return NOTHING;
    if (tip.height > end.height) return first > end.height + 1 ? { ...NOTHING, problem: gap(end, first) } : NOTHING;
    if (state !== undefined && isNews(state, explorer)) await explorer.addState(state);
    await this.#noteCurrent(explorer, askedAtMs);
    return { ...NOTHING, hasMore: hasMoreState(state) };
  }

  /** The row is not written at each look. */
  async #noteCurrent(explorer: OpenExplorer, askedAtMs: number): Promise<void> {
    const nowMs = performance.now();
    if (!explorer.hasConflict && nowMs - this.#notedAtMs < CURRENT_NOTE_MS) return;
    await explorer.noteCurrent((nowMs - askedAtMs) / 1_000);
    this.#notedAtMs = nowMs;
  }

  #report(height: number, tip: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#reportedAtMs < FILL_NOTICE_MS) return;
    this.#reportedAtMs = nowMs;
    this.#dependencies.onProgress(height, tip);
  }

  async #readPage(explorer: OpenExplorer): Promise<ChainFeedPage> {
    const { end } = explorer;
    const query = `?${copyQuery(explorer)}${end === undefined ? "" : `&after=${end.height}&hash=${end.hash}`}`;
    const { status, text } = await this.#dependencies.links.request(`${path}${query}`, { method, mostBytes: FEED_RESPONSE_BYTES });
    if (status === 200) return JSON.parse(text) as ChainFeedPage;
    throw feedRefusal(status, "A node gives no blocks", "its token, --node-token-file, and a full node of this version");
  }
}

/** False when a node that is behind has other blocks than the database. */
async function isSameBelow(explorer: OpenExplorer, end: ChainPosition, tip: ChainPosition): Promise<boolean> {
  if (tip.height > end.height) return true;
  const known = await explorer.hashAt(tip.height);
  return known === undefined || known === tip.hash;
}

function conflict(end: ChainPosition, tip: ChainPosition): CodedError {
  return new CodedError(
    "STORAGE_FOREIGN",
    `The explorer in the database ends with block ${end.height}, ${end.hash}, and the node has other blocks (its newest is ${tip.height}): ` +
      "nothing of it is shown until they agree",
  );
}

function gap(end: ChainPosition, first: number): CodedError {
  return new CodedError(
    "HISTORY_PRUNED",
    `The explorer in the database ends with block ${end.height}, and the node holds the blocks from ${first} on: name a node that has those between`,
  );
}
