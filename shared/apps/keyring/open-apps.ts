// Everything of connections while the keyring is open: the store, and the desks over it. A lock closes it, and what waited is not paid.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppAccess } from "#shared/keyring/confirmation/app-access.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { MAX_JOURNAL_AGE_MS, WALLET_WAIT_MS } from "../app-limits.ts";
import type { WaitingForWallet } from "../messages/approval-api.ts";
import type { ChainObservation, InvoiceOrder, InvoiceView, OwnHistory } from "../messages/apps-api.ts";
import { findScope, isSpending, PERIODS_MS, type ScopeName } from "../scopes/scopes.ts";
import type { AppConnection } from "../storage/app-connection.ts";
import type { AppStore } from "../storage/app-store.ts";
import { invoiceView } from "./app-views.ts";
import { type Approval, ApprovalDesk } from "./approval-desk.ts";
import { ConnectionDesk } from "./connection-desk.ts";
import { countHistory } from "./history-desk.ts";
import { MessageDesk } from "./message-desk.ts";
import { hashKey, hashText } from "./order-checks.ts";
import { type HistoryState, OrderDesk, resting } from "./order-desk.ts";

const INVOICE_ID_BYTES = 8;

/** What it needs beside the store. */
export interface OpenAppsDependencies {
  readonly access: AppAccess;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** A window asks the person; without one the person takes tokens from the terminal. */
  readonly canAsk: boolean;
  readonly onEnd: (connection: AppConnection) => void;
}

/** The connections of one profile, between two locks. */
export class OpenApps {
  readonly store: AppStore;
  readonly approvals: ApprovalDesk;
  readonly connections: ConnectionDesk;
  readonly orders: OrderDesk;
  readonly messages: MessageDesk;
  /** When each connection was last recognised, by its id. */
  readonly usedAtMs = new Map<string, number>();
  /** Until when each connection's orders wait for the wallet, by its id. */
  readonly #waitingUntilMs = new Map<string, number>();
  readonly #dependencies: OpenAppsDependencies;
  #history: HistoryState = "needed";

  constructor(store: AppStore, dependencies: OpenAppsDependencies) {
    const { access, clock, random, canAsk, onEnd } = dependencies;
    this.store = store;
    this.#dependencies = dependencies;
    this.approvals = new ApprovalDesk(clock, random);
    this.orders = new OrderDesk({ access, store, approvals: this.approvals, clock, canAsk, history: (): HistoryState => this.#history });
    this.messages = new MessageDesk(store);
    this.connections = new ConnectionDesk({
      access,
      store,
      random,
      mustUseToken: canAsk,
      onEnd: async (connection): Promise<void> => {
        onEnd(connection);
        await this.#lapse(connection.number);
      },
    });
  }

  /** The time from which on the chain is to be compared with the journal; null when it was, or nothing spends. */
  get historyFromMs(): number | null {
    if (this.#history !== "needed" || !this.store.connections.some(({ scopes }) => scopes.some(isSpending))) return null;
    return Math.max(0, this.store.chainTimeMs - PERIODS_MS.month - TX_WINDOW_MS);
  }

  /** Questions that were lost with the keyring's last lock. */
  async begin(): Promise<void> {
    await this.orders.lapse(this.store.ledger.asked());
  }

  async observe(chain: ChainObservation): Promise<void> {
    this.store.observe(chain);
    await this.sweep();
  }

  /** Writes down what is over. */
  async sweep(): Promise<void> {
    await this.connections.endExpired();
    await this.#lapse();
  }

  /** Nothing that waits for the person is agreed to any more. */
  async dismiss(): Promise<void> {
    await this.#writeLapsed(this.approvals.takeAll());
  }

  async takeHistory({ transactions, isComplete, isMissing = false }: OwnHistory): Promise<void> {
    await countHistory(this.store, transactions);
    if (isComplete && this.#history === "needed") this.#history = isMissing ? "missing" : "complete";
  }

  /** The connection of a token. @throws CodedError APP_TOKEN_INVALID, APP_ENDED. */
  async authenticate(token: string): Promise<AppConnection> {
    const connection = await this.connections.authenticate(token);
    this.usedAtMs.set(connection.id, this.store.clockMs);
    return connection;
  }

  /** As {@link authenticate}, for what a scope allows. @throws CodedError APP_SCOPE, APP_LOCKED while it rests. */
  async authorize(token: string, scope: ScopeName): Promise<AppConnection> {
    const connection = await this.authenticate(token);
    if (!connection.scopes.some(({ name }) => name === scope))
      throw new CodedError("APP_SCOPE", `This connection lacks the scope ${scope}`);
    if (connection.isResting) throw resting();
    return connection;
  }

  /** An order of a connection waits until the wallet is unlocked. @throws CodedError APP_SCOPE. */
  noteWaiting({ id, scopes }: AppConnection): void {
    if (!scopes.some(isSpending)) throw new CodedError("APP_SCOPE", "This connection may not spend");
    this.#waitingUntilMs.set(id, this.#dependencies.clock.nowMs() + WALLET_WAIT_MS);
  }

  /** Connections whose orders wait for the wallet. */
  get waiting(): readonly WaitingForWallet[] {
    const { access, clock } = this.#dependencies;
    if (access.canSign()) this.#waitingUntilMs.clear();
    return this.store.connections.flatMap(({ id, name }) => {
      const expiresAtMs = this.#waitingUntilMs.get(id) ?? 0;
      return expiresAtMs > clock.nowMs() ? [{ connection: id, name, expiresAtMs }] : [];
    });
  }

  async createInvoice({ token, idempotencyKey, amountUt, expiresAtMs }: InvoiceOrder): Promise<InvoiceView> {
    const { store } = this;
    const connection = await this.authorize(token, "invoices");
    const keyHash = hashKey(connection, idempotencyKey);
    const bodyHash = hashText(JSON.stringify(["invoice", amountUt, expiresAtMs]));
    const known = store.ledger.invoice(connection.number, keyHash);
    if (isUsed(store, connection, keyHash) || (known !== undefined && known.bodyHash !== bodyHash))
      throw new CodedError("APP_KEY_REUSED", "The idempotency key was used for another request");
    if (known !== undefined) return invoiceView(known);
    if (expiresAtMs <= store.chainTimeMs) throw new CodedError("APP_TOO_LATE", "The invoice would have expired already");
    if (expiresAtMs > store.chainTimeMs + MAX_JOURNAL_AGE_MS)
      throw new CodedError("BAD_REQUEST", "expires_at is at most a year ahead", { details: { field: "expires_at" } });
    this.orders.requireKey(connection);
    const subject = `inv_${toHex(this.#dependencies.random(INVOICE_ID_BYTES))}`;
    const hashes = { keyHash: fromHex(keyHash), bodyHash: fromHex(bodyHash) };
    await store.append({
      connection: connection.number,
      action: "invoice",
      outcome: "done",
      subject,
      amountUt,
      ...hashes,
      timeMs: expiresAtMs,
    });
    const record = store.ledger.invoice(connection.number, keyHash);
    if (record === undefined) throw new CodedError("INVARIANT", "An invoice is not in the ledger");
    return invoiceView(record);
  }

  /** The scope to submit is for what the program signed with a key of its own. @throws CodedError APP_SCOPE. */
  async checkSubmission(token: string, from: string): Promise<void> {
    const connection = await this.authorize(token, "submit");
    if (findScope(connection.scopes, "submit") === undefined || from === this.#dependencies.access.signer().masterPub)
      throw new CodedError("APP_SCOPE", "This connection may submit what its program signed with a key of its own");
  }

  async #lapse(endedConnection?: number): Promise<void> {
    await this.#writeLapsed(this.approvals.takeOver(endedConnection));
  }

  async #writeLapsed(over: readonly Approval[]): Promise<void> {
    await this.orders.lapse(over.map(({ order }) => ({ connection: order.connection.number, keyHash: order.keyHash })));
  }
}

/** The key is that of an order or a message. */
function isUsed({ ledger }: AppStore, { number }: AppConnection, keyHash: string): boolean {
  return ledger.order(number, keyHash) !== undefined || ledger.message(number, keyHash) !== undefined;
}
