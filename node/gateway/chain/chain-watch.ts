// Keeps the keyring informed of the chain: its time, the own transactions, and what came of signed orders, which are submitted again until they
// are in a block or can be in none any more.

import { MAX_HISTORY_PAGE } from "#shared/apps/app-limits.ts";
import type { AppsState } from "#shared/apps/messages/apps-api.ts";
import type { OrderOutcome, PendingOrder } from "#shared/apps/messages/orders.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { GatewayServices } from "../services.ts";
import { type FeedEntry, feedSince, findCommitted, observeChain, ownTransactionOf } from "./chain-reads.ts";

/** The watch while the gateway runs. */
export class ChainWatch {
  readonly #services: GatewayServices;
  readonly #limits: GatewayLimits;
  readonly #signed = new Map<string, Transaction>();
  readonly #stops: readonly (() => void)[];
  #state: AppsState | undefined;
  /** Own transactions up to this height were given; undefined before the first ones. */
  #givenHeight: number | undefined;
  #run: Promise<void> | undefined;
  #cancelRetry: CancelTimer | undefined;
  #isStale = false;
  #isClosed = false;

  constructor(services: GatewayServices, limits: GatewayLimits) {
    this.#services = services;
    this.#limits = limits;
    this.#stops = [
      services.node.onBlock(() => void this.refresh()),
      services.keyring.onEvent((event) => {
        if (event.event === "state") void this.refresh();
        if (event.event === "approved" && event.result.kind === "transaction" && event.result.transaction !== undefined)
          void this.submit(event.result.transaction);
      }),
    ];
  }

  /** What the keyring said last. */
  get state(): AppsState | undefined {
    return this.#state;
  }

  /** Submits a signed order, now and with each block until it is settled. A node that refuses it now may take it later. */
  async submit(transaction: Transaction): Promise<void> {
    this.#signed.set(transaction.id, transaction);
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > this.#limits.pendingTransactions && oldest !== undefined) this.#signed.delete(oldest);
    try {
      await this.#services.node.client.submitTransaction({ body: transaction });
    } catch (error) {
      this.#note(error, "A payment of a program was not taken yet");
    }
  }

  /** Looks at the chain once more; one look at a time. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#run ??= this.#look().finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  close(): void {
    this.#cancelRetry?.();
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  async #look(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        this.#note(error, "The keyring could not be informed of the chain");
        this.#lookLater();
      }
    }
  }

  /** A chain on which nothing happens has no next block for a long while. */
  #lookLater(): void {
    if (this.#isClosed || this.#cancelRetry !== undefined) return;
    this.#cancelRetry = this.#services.timers.setTimer(this.#limits.lookRetryMs, () => {
      this.#cancelRetry = undefined;
      void this.refresh();
    });
  }

  async #lookOnce(): Promise<void> {
    const { keyring, node } = this.#services;
    const observed = await observeChain(node.client);
    this.#state = await keyring.api.observe(observed);
    const { account, historyFromMs, lock } = this.#state;
    if (account === null || lock === "locked") return;
    if (historyFromMs !== null || this.#givenHeight === undefined)
      await this.#giveAll(account.masterPub, historyFromMs ?? observed.blockTimeMs, observed.height);
    else await this.#giveNew(account.masterPub, this.#givenHeight, observed.height);
    await this.#settle(observed);
  }

  /** Everything that the keyring has to know first. */
  async #giveAll(account: string, fromMs: number, height: number): Promise<void> {
    const { node, keyring } = this.#services;
    let entries: readonly FeedEntry[];
    try {
      entries = await feedSince(node.client, account, fromMs, this.#limits);
    } catch (error) {
      // A node that is away, busy or at fault may answer the next time; what it says of the account's history stays so.
      if (isCodedError(error, "UNAVAILABLE", "RATE_LIMITED", "INTERNAL", "UNAUTHORIZED")) throw error;
      this.#state = await keyring.api.history({ transactions: [], isComplete: true, isMissing: true });
      this.#givenHeight = height;
      return;
    }
    await this.#give(account, entries);
    this.#givenHeight = height;
  }

  async #giveNew(account: string, afterHeight: number, height: number): Promise<void> {
    if (height <= afterHeight) return;
    const { feedPage } = this.#limits;
    const { transactions } = await this.#services.node.client.getAccountFeed({
      account_id: account,
      limit: feedPage,
      order: "asc",
      after_block: afterHeight,
    });
    if (transactions.length > 0) await this.#give(account, transactions);
    // A full page may end inside of a block, which is read once more; giving a transaction twice does no harm.
    const last = transactions.at(-1)?.block_index ?? height;
    this.#givenHeight = transactions.length < feedPage ? height : Math.max(afterHeight + 1, last - 1);
    if (this.#givenHeight < height) this.#isStale = true;
  }

  async #give(account: string, entries: readonly FeedEntry[]): Promise<void> {
    const { keyring } = this.#services;
    const own = entries.filter(({ from }) => from === account).map(ownTransactionOf);
    for (let start = 0; start === 0 || start < own.length; start += MAX_HISTORY_PAGE) {
      const transactions = own.slice(start, start + MAX_HISTORY_PAGE);
      this.#state = await keyring.api.history({ transactions, isComplete: start + MAX_HISTORY_PAGE >= own.length });
    }
  }

  async #settle({ height, blockTimeMs }: { readonly height: number; readonly blockTimeMs: number }): Promise<void> {
    const { keyring, node } = this.#services;
    const pending = await keyring.api.pendingOrders();
    const outcomes: OrderOutcome[] = [];
    for (const order of pending) {
      const found = await findCommitted(node.client, order.id);
      if (found !== undefined) outcomes.push({ id: order.id, ...found });
      else if (isOver(order, blockTimeMs)) outcomes.push({ id: order.id, state: "absent", height, blockTimeMs });
      else await this.#again(order.id);
    }
    for (const { id } of outcomes) this.#signed.delete(id);
    if (outcomes.length > 0) await keyring.api.settle({ outcomes });
  }

  async #again(id: string): Promise<void> {
    const transaction = this.#signed.get(id);
    if (transaction !== undefined) await this.submit(transaction);
  }

  #note(error: unknown, message: string): void {
    // A node or keyring that is not there is no news: it is looked at again.
    if (!isCodedError(error, "UNAVAILABLE", "KEYRING_LOCKED", "APP_LOCKED")) this.#services.log.warn({ err: error }, message);
  }
}

/** True when no block of a later time can hold it. */
function isOver({ timestampMs }: PendingOrder, blockTimeMs: number): boolean {
  return blockTimeMs > timestampMs + TX_WINDOW_MS;
}
