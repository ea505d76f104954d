// The keyring's side of connections: what is open of them while the keyring is, behind one queue. Gateway and approval window each have a
// service of their own over it. Nothing of it is on the page's port.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { AppAccess } from "#shared/keyring/confirmation/app-access.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { OneAtATime } from "#shared/util/one-at-a-time.ts";
import type { ApprovalEvent } from "../messages/approval-api.ts";
import type { AppsEvent, AppsState, ChainObservation, KeyringLock } from "../messages/apps-api.ts";
import { AppStore, type AppStoreDependencies } from "../storage/app-store.ts";
import { OpenApps } from "./open-apps.ts";
import { RequestDesk } from "./request-desk.ts";

/** What connections need of the keyring's process. */
export interface AppKeyringDependencies extends AppStoreDependencies {
  readonly access: AppAccess;
  /** False where no window can ask the person: what would be asked about is then refused. True unless given. */
  readonly canAsk?: boolean;
  readonly onAppsEvent?: (event: AppsEvent) => void;
  readonly onApprovalEvent?: (event: ApprovalEvent) => void;
}

/** Connections of one profile. */
export class AppKeyring {
  readonly requests: RequestDesk;
  readonly #dependencies: AppKeyringDependencies;
  #open: OpenApps | undefined;
  #chain: ChainObservation | undefined;
  readonly #tasks = new OneAtATime();

  constructor(dependencies: AppKeyringDependencies) {
    this.#dependencies = dependencies;
    this.requests = new RequestDesk(dependencies.clock, dependencies.random);
  }

  /** The keyring's state has changed: a lock closes everything at once. */
  keyringChanged(): void {
    if (this.lock() === "locked") this.#close();
    else if (this.#open !== undefined) void this.exclusive(async () => this.#open?.store.renewKeys()).catch(() => undefined);
    this.emit({ event: "state", state: this.state() });
    this.#changed();
  }

  /** The chain goes on; it is remembered while the keyring is locked. */
  async observe(chain: ChainObservation): Promise<void> {
    this.#chain = chain;
    if (this.lock() !== "locked") await (await this.opened()).observe(chain);
  }

  /** What the gateway has to know. */
  state(): AppsState {
    const lock = this.lock();
    if (lock === "locked") return { lock, account: null, historyFromMs: null };
    const { masterPub } = this.#dependencies.access.signer();
    const historyFromMs = this.#chain === undefined ? null : (this.#open?.historyFromMs ?? null);
    return { lock, account: { masterPub, address: formatAddress(masterPub) }, historyFromMs };
  }

  /** What is open now. */
  lock(): KeyringLock {
    const { access } = this.#dependencies;
    try {
      access.signer();
    } catch {
      return "locked";
    }
    return access.canSign() ? "unlocked" : "walletLocked";
  }

  /** Does something with what is open, one after the other. @throws CodedError APP_LOCKED. */
  withOpen<T>(task: (open: OpenApps) => Promise<T>): Promise<T> {
    return this.exclusive(async () => {
      const open = await this.opened();
      const lastN = open.store.lines.at(-1)?.line.n ?? 0;
      try {
        await open.sweep();
        return await task(open);
      } catch (error) {
        throw isCodedError(error, "KEYRING_LOCKED") ? keyringLocked() : error;
      } finally {
        this.#announce(open, lastN);
      }
    });
  }

  /** What is open, read again after a lock or a failed write. @throws CodedError APP_LOCKED. */
  async opened(): Promise<OpenApps> {
    if (this.lock() === "locked") throw keyringLocked();
    if (this.#open !== undefined && !this.#open.store.isBroken) return this.#open;
    this.#close();
    const store = await AppStore.open(this.#dependencies);
    const { access, clock, random, canAsk = true } = this.#dependencies;
    const open = new OpenApps(store, {
      access,
      canAsk,
      clock,
      random,
      onEnd: ({ id }): void => this.emit({ event: "ended", connection: id }),
    });
    if (this.#chain !== undefined) store.observe(this.#chain);
    this.#open = open;
    await open.begin();
    if (this.lock() === "locked") this.#close();
    return this.#open ?? this.opened();
  }

  #close(): void {
    this.#open?.store.close();
    this.#open = undefined;
  }

  #announce({ store }: OpenApps, lastN: number): void {
    const ids = new Map([...store.connections, ...(store.state?.ended ?? [])].map(({ number, id }) => [number, id]));
    for (const { line } of store.lines)
      if (line.n > lastN) this.emit({ event: "line", connection: ids.get(line.connection) ?? "", n: line.n });
    this.#changed();
  }

  /** Tells the gateway. */
  emit(event: AppsEvent): void {
    this.#dependencies.onAppsEvent?.(event);
  }

  #changed(): void {
    this.#dependencies.onApprovalEvent?.({ event: "changed" });
  }

  /** One after the other. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    return this.#tasks.run(task);
  }
}

function keyringLocked(): CodedError {
  return new CodedError("APP_LOCKED", "The keyring is locked", { details: { keyring: true } });
}
