// Connections of programs with their surroundings in memory: a keyring whose clock the test moves, files that it can take a copy of and put
// back, a chain that it tells of, and a program that asks, is let in and orders.
import { AppKeyring } from "#shared/apps/keyring/app-keyring.ts";
import { ApprovalService } from "#shared/apps/keyring/approval-service.ts";
import { AppsService } from "#shared/apps/keyring/apps-service.ts";
import type { ApprovalApi, WatchApi } from "#shared/apps/messages/approval-api.ts";
import type { AppsApi, AppsEvent, OwnTransaction } from "#shared/apps/messages/apps-api.ts";
import type { CallOrder, OrderResult, PaymentOrder } from "#shared/apps/messages/orders.ts";
import type { ResolvedName } from "#shared/apps/scopes/narrow-scopes.ts";
import type { JournalStorage } from "#shared/apps/storage/app-journal.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { concatBytes, toHex } from "#shared/util/bytes.ts";
import { createTestKeyring, ManualTime, MemoryVault, systemRandom } from "./keyring-world.ts";

export const APP_PASSWORD = "correct horse battery";
export const CHAIN_ID = "parley-test";
export const CONTRACT = "00112233445566aa";

/** One hour, day and T. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const T = 1_000_000;

/** A usable key of a seed. */
export const keyOf = (seed: number): string => toHex(ed25519PublicKey(new Uint8Array(32).fill(seed)));
export const BOB = keyOf(1);
export const EVE = keyOf(2);

/** The journal in memory. A write can be made to fail, or to stop half-way as in a power cut. */
export class MemoryJournal implements JournalStorage {
  bytes: Uint8Array | undefined;
  /** The next write stores so many bytes of it and fails. */
  tearAfter: number | undefined;

  async read(): Promise<Uint8Array | undefined> {
    return this.bytes?.slice();
  }

  async append(length: number, bytes: Uint8Array): Promise<boolean> {
    if ((this.bytes?.length ?? 0) !== length) return false;
    const written = this.tearAfter === undefined ? bytes : bytes.subarray(0, this.tearAfter);
    this.bytes = concatBytes(this.bytes ?? new Uint8Array(), written);
    if (this.tearAfter !== undefined) {
      this.tearAfter = undefined;
      throw new Error("power cut");
    }
    return true;
  }

  async replace(length: number, bytes: Uint8Array): Promise<boolean> {
    if ((this.bytes?.length ?? 0) !== length) return false;
    this.bytes = bytes.slice();
    return true;
  }
}

/** A copy of everything that is stored. */
export interface StoredFiles {
  readonly vault: ReadonlyMap<"a" | "b", Uint8Array>;
  readonly copies: ReadonlyMap<"a" | "b", Uint8Array>;
  readonly journal: Uint8Array | undefined;
}

/** One profile on one computer. */
export class AppWorld {
  readonly time: ManualTime;
  readonly vault = new MemoryVault();
  readonly copies = new MemoryVault();
  readonly journal = new MemoryJournal();
  readonly events: AppsEvent[] = [];
  /** Also gets each event. */
  onEvent: (event: AppsEvent) => void = () => undefined;
  machine = "this computer";
  /** Takes effect with the next start. */
  maxJournalBytes: number | undefined;
  height = 1;
  blockTimeMs: number;
  apps!: AppsApi;
  approval!: ApprovalApi;
  /** The shell's own port. */
  watch!: WatchApi;
  keyring!: Keyring;
  #keys = 0;

  private constructor(time: ManualTime) {
    this.time = time;
    this.blockTimeMs = time.nowMs();
  }

  /** A new profile, unlocked, whose node has been heard. */
  static async create(time = new ManualTime()): Promise<AppWorld> {
    const world = new AppWorld(time);
    world.#start();
    await world.keyring.create({ password: APP_PASSWORD });
    await world.observe();
    return world;
  }

  /** The process ends and begins again with what is stored; the chain's time is given again and the history compared. */
  async restart(transactions: readonly OwnTransaction[] = []): Promise<void> {
    await this.restartWithoutHistory();
    await this.apps.history({ transactions, isComplete: true });
  }

  /** `files` are what lies there then. */
  async restartWithoutHistory(password = APP_PASSWORD, files: Partial<StoredFiles> = {}): Promise<void> {
    this.#start();
    this.putBack(files);
    await this.keyring.unlock({ password });
    await this.observe();
  }

  /** Both clocks go on. */
  async pass(ms: number): Promise<void> {
    this.time.sleep(ms);
    await this.block(ms);
  }

  /** The chain goes on alone. */
  async block(ms: number): Promise<void> {
    this.blockTimeMs += ms;
    this.height += 1;
    await this.observe();
  }

  async observe(): Promise<void> {
    await this.apps.observe({ chainId: CHAIN_ID, height: this.height, blockTimeMs: this.blockTimeMs });
  }

  save(): StoredFiles {
    return { vault: new Map(this.vault.copies), copies: new Map(this.copies.copies), journal: this.journal.bytes?.slice() };
  }

  /** Puts earlier files back. */
  putBack({ vault, copies, journal }: Partial<StoredFiles>): void {
    const write = (storage: MemoryVault, files: ReadonlyMap<"a" | "b", Uint8Array>): void => {
      storage.copies.clear();
      for (const [copy, bytes] of files) storage.copies.set(copy, bytes.slice());
    };
    if (vault !== undefined) write(this.vault, vault);
    if (copies !== undefined) write(this.copies, copies);
    if (journal !== undefined) this.journal.bytes = journal.slice();
  }

  /** A program asks, the person types its number and grants what it asked for. Returns its token. */
  async connect(
    name: string,
    grant: readonly string[],
    options: { readonly days?: number; readonly names?: readonly ResolvedName[] } = {},
  ): Promise<string> {
    const { id, secret, code } = await this.apps.openRequest({ name, reason: "", grant, names: options.names ?? [] });
    const scopes = (await this.approval.overview()).request?.scopes ?? [];
    await this.approval.grant({ id, code, grant: scopes, chosen: [], days: options.days ?? 30, password: APP_PASSWORD });
    const fetched = await this.apps.fetchRequest({ id, secret });
    if (fetched.state !== "granted") throw new Error(`The request was ${fetched.state}`);
    await this.apps.authenticate({ token: fetched.token });
    await this.apps.history({ transactions: [], isComplete: true });
    return fetched.token;
  }

  /** A payment under a key of its own. */
  payment(token: string, changes: Partial<PaymentOrder> = {}): PaymentOrder {
    const to = changes.to ?? BOB;
    return { ...this.#order(token), recipient: to, to, amountUt: T, ...changes };
  }

  callOrder(token: string, changes: Partial<CallOrder> = {}): CallOrder {
    return { ...this.#order(token), contract: CONTRACT, method: "mint", argsJson: "[1]", amountUt: 0, gasLimit: 1_000_000, ...changes };
  }

  pay(token: string, changes: Partial<PaymentOrder> = {}): Promise<OrderResult> {
    return this.apps.pay(this.payment(token, changes));
  }

  #order(token: string): Omit<PaymentOrder, "recipient" | "to" | "amountUt"> {
    this.#keys += 1;
    return {
      token,
      idempotencyKey: `key-${String(this.#keys).padStart(16, "0")}`,
      notAfterMs: this.blockTimeMs + HOUR,
      spendableUt: 1_000_000 * T,
    };
  }

  #start(): void {
    const { keyring } = createTestKeyring(this.vault, this.time);
    const { copies, journal, machine, maxJournalBytes, time: clock } = this;
    const appKeyring = new AppKeyring({
      access: keyring.apps,
      copies,
      journal,
      machine,
      ...(maxJournalBytes === undefined ? {} : { maxJournalBytes }),
      clock,
      random: systemRandom,
      onAppsEvent: (event): void => {
        this.events.push(event);
        this.onEvent(event);
      },
    });
    keyring.onStatus(() => appKeyring.keyringChanged());
    this.keyring = keyring;
    this.apps = new AppsService(appKeyring);
    const service = new ApprovalService(appKeyring);
    this.approval = service;
    this.watch = service;
  }
}

/** What an order was signed as. @throws Error when it was not. */
export function transactionOf(result: OrderResult): Transaction {
  if (result.kind !== "transaction" || result.transaction === undefined) throw new Error(`Nothing was signed: ${JSON.stringify(result)}`);
  return result.transaction;
}

/** A transaction as the chain has it. */
export function onChain({ id, type, amount, fee }: Transaction, height = 2): OwnTransaction {
  return { id, type, totalUt: amount + fee, height, hasFailed: false };
}
