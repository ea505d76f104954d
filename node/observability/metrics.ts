// The node's metrics in the Prometheus text format. Labels come from fixed tables only, so their number has a bound.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type MailSources, registerMail } from "./mail-metrics.ts";

/** Values that are read when the metrics are asked for. */
export interface MetricSources extends MailSources {
  readonly version: string;
  readonly commit: string;
  /** Unix seconds of the start. */
  readonly startedAtSec: number;
  height(): number;
  pendingTransactions(): number;
  mailboxEnvelopes(): number;
  peers(): number;
  /** Lowest score of a connected peer; 0 when none offended. */
  lowestPeerScore(): number;
  /** Calls of contracts at which the engine failed. */
  engineFaults(): number;
  targetHeight(): number;
  /** 1 or 0. */
  isLive(): number;
  round(): number;
  /** 1 or 0: the node's key is in the validator set, and does not vote. */
  isAbstaining(): number;
  /** Height; 0 when no commit since the start carries a signature of the node's key. */
  lastSignedHeight(): number;
  /** 1 or 0: the signer with the validator's key is connected. */
  isSignerConnected(): number;
  /** Requests to the signer since the start, by what became of them. */
  signerAnswers(): Iterable<readonly [string, number]>;
  pendingBytes(): number;
  /** Files of old blocks that are damaged, as far as is known. */
  damagedFiles(): number;
  /** The lowest block that the node holds. */
  firstHeight(): number;
  /** 1 for what fetching older blocks is at, 0 for all else. */
  backfillStates(): Iterable<readonly [string, number]>;
  /** Of older blocks since the start. */
  backfillBytes(): number;
  /** Files of older blocks since the start, by what became of them. */
  backfillSegments(): Iterable<readonly [string, number]>;
  /** Of the newest snapshot; 0 without any. */
  snapshotHeight(): number;
  /** Snapshots since the start, by what became of them. */
  snapshots(): Iterable<readonly [string, number]>;
  snapshotSentBytes(): number;
  interpretedModules(): number;
  webSockets(): number;
  eventStreams(): number;
  /** Signatures that commits lack since the start, by the address of the validator. */
  missedCommits(): Iterable<readonly [string, number]>;
  /** Envelopes that found no room, by reason. */
  refusedEnvelopes(): Iterable<readonly [string, number]>;
  /** Of the relay of calls that the node offers; 0 without one. */
  callAllocations(): number;
  /** Allocations since the start, and bytes that were passed on. */
  callsAllocated(): number;
  callBytes(): number;
  /** Packets that were not passed on, and requests that were refused, by reason. */
  callDrops(): Iterable<readonly [string, number]>;
  callRefusals(): Iterable<readonly [string, number]>;
  /** Bytes on the disk, by store. */
  storageBytes(): Iterable<readonly [string, number]>;
  /** Of a node among others, by label. */
  readonly network: Readonly<Record<NetworkMetric, () => Iterable<readonly [string, number]>>>;
}

/** What is counted of the network. */
export type NetworkMetric = "connections" | "bans" | "offences" | "turnedAway" | "addresses" | "waitingBytes";

/** A finished request. */
export interface ObservedRequest {
  readonly method: string;
  /** Path of the route with its parameters by name, never the path as sent. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** A block that became final. */
export interface ObservedBlock {
  /** Time since its parent, by the times in the headers. */
  readonly intervalSec: number;
  /** Time from the block's own time until this node had it, by the local clock. */
  readonly delaySec: number;
  /** Rounds that its parent took, as its commit says; undefined for blocks without one. */
  readonly parentRounds: number | undefined;
  readonly transactions: readonly { readonly type: string; readonly isOk: boolean }[];
}

const LAG_RESOLUTION_MS = 10;
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const INTERVAL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 1_800];
const ROUND_BUCKETS = [1, 2, 3, 5, 8, 13, 21, 34];
const SYNC_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const SIZE_BUCKETS = [0, 1, 4, 16, 64, 256, 1_024, 4_096];

export class NodeMetrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<"method" | "route" | "status">;
  readonly #blockIntervals: Histogram;
  readonly #blockSizes: Histogram;
  readonly #blockDelays: Histogram;
  readonly #rounds: Histogram;
  readonly #syncs: Histogram;
  readonly #transactions: Counter<"type" | "status">;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    this.#requests = new Histogram({
      name: "parley_http_request_duration_seconds",
      help: "Time from the head of a request to the end of its answer.",
      labelNames: ["method", "route", "status"],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#blockIntervals = new Histogram({
      name: "parley_block_interval_seconds",
      help: "Time between a block and its parent.",
      buckets: INTERVAL_BUCKETS,
      registers,
    });
    this.#blockSizes = new Histogram({
      name: "parley_block_transactions",
      help: "Transactions of a block.",
      buckets: SIZE_BUCKETS,
      registers,
    });
    this.#blockDelays = new Histogram({
      name: "parley_block_delay_seconds",
      help: "Time from a block's own time until this node had it.",
      buckets: INTERVAL_BUCKETS,
      registers,
    });
    this.#rounds = new Histogram({
      name: "parley_block_rounds",
      help: "Rounds that the validators took for a block.",
      buckets: ROUND_BUCKETS,
      registers,
    });
    this.#syncs = new Histogram({
      name: "parley_consensus_log_sync_seconds",
      help: "Time to make the consensus log durable.",
      buckets: SYNC_BUCKETS,
      registers,
    });
    this.#transactions = new Counter({
      name: "parley_transactions_total",
      help: "Transactions in blocks since the start, by type and outcome.",
      labelNames: ["type", "status"],
      registers,
    });
    registerGauges(this.#registry, sources);
    registerCounts(this.#registry, sources);
    registerLabelled(this.#registry, sources);
    registerMail(this.#registry, sources);
    registerCallRelay(this.#registry, sources);
    registerNetwork(this.#registry, sources);
    registerProcess(this.#registry, sources);
  }

  /** Media type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  observeRequest({ method, route, status, seconds }: ObservedRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  observeLogSync(seconds: number): void {
    this.#syncs.observe(seconds);
  }

  observeBlock({ intervalSec, delaySec, parentRounds, transactions }: ObservedBlock): void {
    this.#blockIntervals.observe(intervalSec);
    this.#blockDelays.observe(Math.max(0, delaySec));
    if (parentRounds !== undefined) this.#rounds.observe(parentRounds);
    this.#blockSizes.observe(transactions.length);
    for (const { type, isOk } of transactions) this.#transactions.inc({ type, status: isOk ? "ok" : "failed" });
  }
}

function registerGauges(registry: Registry, sources: MetricSources): void {
  const gauges: readonly (readonly [string, string, () => number])[] = [
    ["parley_chain_height", "Height of the newest block.", sources.height],
    ["parley_mempool_transactions", "Transactions that wait for a block.", sources.pendingTransactions],
    ["parley_mailbox_envelopes", "Envelopes in all mailboxes.", sources.mailboxEnvelopes],
    ["parley_peers", "Connected peers.", sources.peers],
    ["parley_peer_lowest_score", "Lowest score of a connected peer; 0 when none offended.", sources.lowestPeerScore],
    ["parley_sync_target_height", "Height that the node is on its way to, its own when it is up with the network.", sources.targetHeight],
    ["parley_sync_live", "1 when the node is up with the network, 0 while it is syncing or stalled.", sources.isLive],
    ["parley_consensus_round", "Round of the next block; 0 when all goes well.", sources.round],
    ["parley_consensus_abstaining", "1 when the node's key is in the validator set and the node does not vote.", sources.isAbstaining],
    ["parley_validator_last_signed_height", "Newest block whose commit carries this node's signature.", sources.lastSignedHeight],
    ["parley_signer_connected", "1 when the signer with the validator's key is connected.", sources.isSignerConnected],
    ["parley_mempool_bytes", "Encoded size of the transactions that wait for a block.", sources.pendingBytes],
    ["parley_contract_interpreted_modules", "Modules that are interpreted, since the node ended at them.", sources.interpretedModules],
    ["parley_history_damaged_files", "Files of old blocks that are damaged, as far as is known.", sources.damagedFiles],
    ["parley_history_first_height", "The lowest block that the node holds.", sources.firstHeight],
    ["parley_snapshot_height", "Height of the newest snapshot of the state; 0 without any.", sources.snapshotHeight],
    ["parley_call_relay_allocations", "Allocations of the relay of calls.", sources.callAllocations],
    ["parley_websockets", "Open WebSocket connections.", sources.webSockets],
    ["parley_event_streams", "Open streams of server-sent events.", sources.eventStreams],
  ];
  for (const [name, help, read] of gauges) registerGauge(registry, { name, help, read });
  new Gauge({
    name: "parley_build_info",
    help: "Build of the node; always 1.",
    labelNames: ["version", "commit"],
    registers: [registry],
  }).set({ version: sources.version, commit: sources.commit }, 1);
}

/** Counts that are read: calls of contracts at which the engine failed, of which there should be none; bytes of and for nodes that join. */
function registerCounts(registry: Registry, sources: MetricSources): void {
  const counts: readonly (readonly [string, string, () => number])[] = [
    ["parley_contract_engine_faults_total", "Calls of contracts since the start at which the engine failed.", sources.engineFaults],
    ["parley_snapshot_sent_bytes_total", "Bytes of responses to nodes that join since the start.", sources.snapshotSentBytes],
    ["parley_call_relay_allocations_total", "Allocations of the relay of calls since the start.", sources.callsAllocated],
    ["parley_call_relay_bytes_total", "Bytes that the relay of calls has passed on since the start.", sources.callBytes],
    ["parley_backfill_bytes_total", "Bytes of older blocks that peers have sent since the start.", sources.backfillBytes],
  ];
  for (const [name, help, read] of counts)
    new Counter({
      name,
      help,
      registers: [registry],
      collect(): void {
        this.reset();
        this.inc(read());
      },
    });
}

function registerCallRelay(registry: Registry, sources: Pick<MetricSources, "callDrops" | "callRefusals">): void {
  const counters = [
    ["parley_call_relay_dropped_total", "Packets since the start that the relay of calls did not pass on.", sources.callDrops],
    ["parley_call_relay_refused_total", "Requests since the start that the relay of calls refused.", sources.callRefusals],
  ] as const;
  for (const [name, help, read] of counters)
    new Counter({
      name,
      help,
      labelNames: ["reason"],
      registers: [registry],
      collect(): void {
        this.reset();
        for (const [reason, count] of read()) this.inc({ reason }, count);
      },
    });
}

/** Samples that are read by their one label, which comes and goes with what it names. */
function registerLabelled(registry: Registry, sources: MetricSources): void {
  const registers = [registry];
  const [missed, refused, stores] = [sources.missedCommits, sources.refusedEnvelopes, sources.storageBytes];
  new Counter({
    name: "parley_validator_missed_commits_total",
    help: "Commits since the start without a signature of the validator.",
    labelNames: ["validator"],
    registers,
    collect(): void {
      this.reset();
      for (const [validator, count] of missed()) this.inc({ validator }, count);
    },
  });
  new Counter({
    name: "parley_mailbox_refused_total",
    help: "Envelopes since the start for which there was no room.",
    labelNames: ["reason"],
    registers,
    collect(): void {
      this.reset();
      for (const [reason, count] of refused()) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: "parley_snapshots_total",
    help: "Snapshots of the state since the start, by what became of them.",
    labelNames: ["outcome"],
    registers,
    collect(): void {
      this.reset();
      for (const [outcome, count] of sources.snapshots()) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: "parley_backfill_segments_total",
    help: "Files of older blocks since the start, by what became of them.",
    labelNames: ["outcome"],
    registers,
    collect(): void {
      this.reset();
      for (const [outcome, count] of sources.backfillSegments()) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: "parley_backfill_state",
    help: "1 for what fetching older blocks is at; 0 for all once they are here.",
    labelNames: ["state"],
    registers,
    collect(): void {
      for (const [state, value] of sources.backfillStates()) this.set({ state }, value);
    },
  });
  new Counter({
    name: "parley_signer_requests_total",
    help: "Requests to the validator's signer since the start, by what became of them.",
    labelNames: ["outcome"],
    registers,
    collect(): void {
      this.reset();
      for (const [outcome, count] of sources.signerAnswers()) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: "parley_storage_bytes",
    help: "Bytes on the disk.",
    labelNames: ["store"],
    registers,
    collect(): void {
      for (const [store, bytes] of stores()) this.set({ store }, bytes);
    },
  });
}

/** Connections and what is known of other nodes. */
function registerNetwork(registry: Registry, { network }: MetricSources): void {
  const registers = [registry];
  const gauges: readonly (readonly [NetworkMetric, string, string, string])[] = [
    ["connections", "parley_peer_connections", "kind", "Connections by what gives them their slot."],
    ["bans", "parley_peer_bans", "scope", "Bans that hold now."],
    ["addresses", "parley_peer_addresses", "table", "Known addresses of nodes."],
    ["waitingBytes", "parley_peer_waiting_bytes", "kind", "Bytes that wait for peers to read them."],
  ];
  for (const [metric, name, label, help] of gauges)
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect(): void {
        for (const [value, count] of network[metric]()) this.set({ [label]: value }, count);
      },
    });
  const counters: typeof gauges = [
    ["turnedAway", "parley_peers_turned_away_total", "reason", "Connections since the start that had to end, or found no room."],
    ["offences", "parley_peer_offences_total", "offence", "Offences of peers since the start."],
  ];
  for (const [metric, name, label, help] of counters)
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect(): void {
        this.reset();
        for (const [value, count] of network[metric]()) this.inc({ [label]: value }, count);
      },
    });
}

/** The process by the names that dashboards know. */
function registerProcess(registry: Registry, { startedAtSec }: MetricSources): void {
  registerGauge(registry, { name: "process_start_time_seconds", help: "Unix time of the start.", read: () => startedAtSec });
  registerGauge(registry, { name: "process_resident_memory_bytes", help: "Memory in use.", read: () => process.memoryUsage.rss() });
  registerEventLoop(registry);
  registerGauge(registry, {
    name: "nodejs_heap_size_used_bytes",
    help: "JavaScript heap in use.",
    read: () => process.memoryUsage().heapUsed,
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "CPU time of the process.",
    registers: [registry],
    collect(): void {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}

/** How late timers come: what holds up the main thread holds up everything. Measured from each reading to the next. */
function registerEventLoop(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  delays.enable();
  const toSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1e3);
  registerGauge(registry, {
    name: "nodejs_eventloop_lag_p99_seconds",
    help: "Lateness of timers since the last reading, 99th percentile.",
    read: () => toSeconds(delays.percentile(99)),
  });
  registerGauge(registry, {
    name: "nodejs_eventloop_lag_max_seconds",
    help: "Greatest lateness of a timer since the last reading.",
    read: () => {
      const seconds = toSeconds(delays.max);
      delays.reset();
      return seconds;
    },
  });
}

function registerGauge(registry: Registry, gauge: { readonly name: string; readonly help: string; readonly read: () => number }): void {
  new Gauge({
    name: gauge.name,
    help: gauge.help,
    registers: [registry],
    collect(): void {
      this.set(gauge.read());
    },
  });
}
