// Reads of the explorer at replicas of the database, while these follow it closely. What a replica cannot say yet, or at all, is read at the
// primary: clients see no error, and no block go back.
import type { ExplorerState, StateRow } from "#node/storage/mailbox/sharing/postgres/explorer/beside.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { chainOf } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { openReplica, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { Statement } from "#node/storage/mailbox/sharing/postgres/statement-batch.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Timers } from "#shared/util/clock.ts";
import { EXPLORER_LAG_MS, REPLICA_LOOK_MS, REPLICA_WAIT_MS } from "../gateway-limits.ts";

export interface ReplicasDependencies {
  readonly chainId: string;
  readonly primary: Pick<PostgresDatabase, "run">;
  /** Addresses of replicas; none is fine. */
  readonly addresses: readonly string[];
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
  /** The newest block that clients of this process heard of. */
  readonly shown: () => Height;
}

interface Replica {
  readonly address: string;
  readonly database: PostgresDatabase;
  readonly reads: ExplorerReads;
  isUsable: boolean;
  hasFailed: boolean;
}

/** How many reads went where. */
export interface ReplicaCounts {
  replica: number;
  primary: number;
}

/** Reads at the one that is next, of those that can be used. */
export class Replicas implements Pick<PostgresDatabase, "run"> {
  readonly counts: ReplicaCounts = { replica: 0, primary: 0 };
  readonly #dependencies: ReplicasDependencies;
  readonly #primaryReads: ExplorerReads;
  readonly #replicas: readonly Replica[];
  /** All reads go there until the next look: those of one request see the same blocks. */
  #chosen: Replica | undefined;
  #turn = 0;
  #looking: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(dependencies: ReplicasDependencies) {
    const { primary, addresses, onError } = dependencies;
    this.#dependencies = dependencies;
    this.#primaryReads = new ExplorerReads(primary);
    this.#replicas = addresses.map((address) => {
      const database = openReplica(address, (error) => onError(error, "A connection to a replica broke"));
      return { address, database, reads: new ExplorerReads(database), isUsable: false, hasFailed: false };
    });
    if (this.#replicas.length > 0) this.#looking = this.#look();
  }

  /** Replicas that are read now. */
  get usable(): number {
    return this.#replicas.filter(({ isUsable }) => isUsable).length;
  }

  async run<Row extends object>(query: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const replica = this.#chosen;
    const rows = replica === undefined ? undefined : await this.#runAt<Row>(replica, query, values);
    if (this.#replicas.length > 0) this.counts[rows === undefined ? "primary" : "replica"] += 1;
    return rows ?? (await this.#dependencies.primary.run<Row>(query, values));
  }

  /** How the blocks stand at the primary, and at each replica that is read: the first is the primary's. @throws CodedError UNAVAILABLE */
  async states(): Promise<readonly (ExplorerState | undefined)[]> {
    const usable = this.#replicas.filter(({ isUsable }) => isUsable);
    const [primary, ...others] = await Promise.all([this.#primaryReads.state(), ...usable.map((replica) => this.#stateOf(replica))]);
    // One that is behind, or away, is not read: no one has to wait for it.
    return [primary, ...others.filter((state) => state !== undefined)];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#looking;
    await Promise.all(this.#replicas.map(({ database }) => database.close()));
  }

  /** Undefined where the replica does not say it in time, or is behind what clients know. */
  async #runAt<Row extends object>(replica: Replica, query: Statement, values: readonly unknown[]): Promise<readonly Row[] | undefined> {
    try {
      const rows = await this.#inTime(replica.database.run<Row & Partial<StateRow>>(query, values));
      const [{ f_height: height, f_ageMs: ageMs } = {} as Partial<StateRow>] = rows;
      const isBehind = height !== undefined && ((height ?? -1) < this.#dependencies.shown() || (ageMs ?? 0) > EXPLORER_LAG_MS);
      return isBehind ? undefined : rows;
    } catch (error) {
      this.#leave(replica, error);
      return undefined;
    }
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    await Promise.all(
      this.#replicas.map(async (replica) => {
        replica.isUsable = (await this.#isOfChain(replica)) && (await this.#stateOf(replica)) !== undefined;
        if (replica.isUsable) replica.hasFailed = false;
      }),
    );
    this.#choose();
    if (this.#isClosed) return;
    this.#cancel = this.#dependencies.timers.setTimer(REPLICA_LOOK_MS, () => {
      this.#looking = this.#look();
    });
  }

  /** False also where the replica has not got so far. */
  async #isOfChain(replica: Replica): Promise<boolean> {
    const { chainId } = this.#dependencies;
    try {
      const chain = await this.#inTime(chainOf(replica.database));
      if (chain === undefined || chain === chainId) return chain !== undefined;
      throw new CodedError(
        "STORAGE_FOREIGN",
        `A database that is named as a replica belongs to the chain ${chain}, and the node to ${chainId}`,
      );
    } catch (error) {
      this.#leave(replica, error);
      return false;
    }
  }

  /** Undefined where it is away, or too far behind to be read. */
  async #stateOf(replica: Replica): Promise<ExplorerState | undefined> {
    try {
      const state = await this.#inTime(replica.reads.state());
      return state === undefined || state.hasConflict || state.ageMs > EXPLORER_LAG_MS ? undefined : state;
    } catch (error) {
      this.#leave(replica, error);
      return undefined;
    }
  }

  #choose(): void {
    const usable = this.#replicas.filter(({ isUsable }) => isUsable);
    this.#turn += 1;
    this.#chosen = usable[this.#turn % Math.max(1, usable.length)];
  }

  /** The next look finds it again. */
  #leave(replica: Replica, error: unknown): void {
    replica.isUsable = false;
    if (this.#chosen === replica) this.#choose();
    if (!replica.hasFailed) this.#dependencies.onError(error, "A replica is away: what it would say is read at the primary");
    replica.hasFailed = true;
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = (): void => reject(new CodedError("UNAVAILABLE", "A replica does not answer in time"));
    const cancel = this.#dependencies.timers.setTimer(REPLICA_WAIT_MS, late);
    // What comes too late is no error of its own.
    work.catch(() => undefined);
    return await Promise.race([work, promise]).finally(cancel);
  }
}
