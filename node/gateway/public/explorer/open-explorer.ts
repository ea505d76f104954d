// The explorer of a gateway: who feeds it, who reads it, and what waits for it. It has connections of its own: reads hold up no mail.
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { StateReads } from "#node/storage/mailbox/sharing/postgres/explorer/state-reads.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { NodeLinks } from "../node-links.ts";
import { DatabaseExplorer } from "./database-explorer.ts";
import { ExplorerFeeder } from "./explorer-feeder.ts";
import type { ExplorerCounts } from "./explorer-handlers.ts";
import { GuardedReads } from "./guarded-reads.ts";
import { PushGate } from "./push-gate.ts";
import { Replicas } from "./replicas.ts";
import { StateExplorer } from "./state-explorer.ts";

export interface OpenExplorerOptions {
  readonly databases: readonly string[];
  /** Addresses of replicas that may be read. */
  readonly replicas: readonly string[];
  /** For what is written. */
  readonly database: PostgresDatabase;
  readonly chainId: string;
  readonly links: Pick<NodeLinks, "request">;
  readonly log: Log;
  readonly onError: (error: unknown, what?: string) => void;
}

/** An explorer that is open. */
export interface GatewayExplorer {
  readonly explorer: DatabaseExplorer;
  readonly state: StateExplorer;
  readonly replicas: Pick<Replicas, "usable" | "counts">;
  readonly feeder: Pick<ExplorerFeeder, "added">;
  readonly gate: Pick<PushGate, "pass">;
  readonly counts: ExplorerCounts;
  close(): Promise<void>;
}

/** Opens it over a database whose schema is up to date, and begins to feed it. */
export function openGatewayExplorer(options: OpenExplorerOptions): GatewayExplorer {
  const { databases, replicas: addresses, database, chainId, links, log, onError } = options;
  const [clock, timers] = [systemClock, systemTimers];
  const pool = openPostgres(databases, (error) => onError(error, "A connection to the database broke"));
  const guard = new GuardedReads({ clock, onError });
  const replicas = new Replicas({ chainId, primary: pool, addresses, timers, onError, shown: (): number => guard.shown });
  const reads = new ExplorerReads(replicas);
  const explorer = new DatabaseExplorer({ reads, states: (): ReturnType<Replicas["states"]> => replicas.states(), guard });
  const state = new StateExplorer({ sources: { reads, state: new StateReads(replicas) }, guard });
  const onProgress = (height: number, tip: number): void => log.info({}, `The explorer is filled: block ${height} of ${tip}`);
  const feeder = new ExplorerFeeder({ database, chainId, links, timers, onError, onProgress });
  const gate = new PushGate({ explorer, clock, timers });
  feeder.start();
  return {
    explorer,
    state,
    replicas,
    feeder,
    gate,
    counts: { database: 0, node: 0 },
    async close(): Promise<void> {
      gate.close();
      await feeder.close();
      await replicas.close();
      await pool.close();
    },
  };
}
