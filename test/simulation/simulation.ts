// A whole network in one process under a seeded schedule of loss, delay, duplication, partitions, crashes and twins. After the
// faults heal, everything pending must be committed everywhere within bounded virtual time.
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { MemoryChain, quickValidators } from "#test/support/memory-chain.ts";
import { createRandom, type Random } from "#test/support/random.ts";
import { VirtualTime } from "#test/support/virtual-time.ts";
import { Invariants } from "./invariants.ts";
import { SimulatedNode } from "./simulated-node.ts";

const GENESIS_TIME_MS = 1_800_000_000_000;
const HEARTBEAT_MS = 20_000;
const BURST_LOSS = 0.8;
/** Slow under faults: a quick synchronisation would hide what votes alone must get right. */
const SYNC_INTERVAL_MS = { faults: 6_000, healed: 200 };

/** One run. */
export interface SimulationOptions {
  readonly seed: number;
  readonly validators: number;
  /** Validators that run twice with one key and two disks; below a third for safety. */
  readonly twins: number;
  readonly faultsMs: number;
  /** Virtual time within which everything is committed after the faults. */
  readonly recoveryMs: number;
}

/** What happened in a run. */
export interface SimulationResult {
  readonly height: number;
  readonly crashes: number;
  readonly maxRound: number;
  readonly messages: number;
  readonly accused: number;
  /** Virtual time from heal to done, ms. */
  readonly recoveredMs: number;
}

/** Runs a simulation. @throws Error naming the seed when an invariant breaks. */
export function simulate(options: SimulationOptions): SimulationResult {
  try {
    return new Simulation(options).run();
  } catch (cause) {
    throw new Error(`simulation ${JSON.stringify(options)}: ${(cause as Error).message}`, { cause });
  }
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #random: Random;
  readonly #time = new VirtualTime();
  readonly #nodes: readonly SimulatedNode[];
  readonly #invariants: Invariants;
  readonly #loss: number;
  readonly #maxDelayMs: number;
  /** How rare crashes and partitions are: where they are, loss has more heights to work on. */
  readonly #calm: number;
  #hasFaults = true;
  #burstEndMs = 0;
  #groupOf: (index: number) => number = () => 0;
  #texts = 0;
  #messages = 0;
  #maxRound = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#loss = this.#random.next() * 0.5;
    this.#maxDelayMs = this.#random.between(5, 250);
    this.#calm = this.#random.between(1, 8);
    const { validators, signers } = quickValidators(options.validators);
    const guilty = new Set(Array.from({ length: options.twins }, (_, index) => index));
    this.#invariants = new Invariants(validators, guilty);
    const owners = [...signers, ...signers.slice(0, options.twins)];
    this.#nodes = owners.map(
      (signer) =>
        new SimulatedNode({
          signer,
          chain: new MemoryChain({ validators, genesisTimeMs: GENESIS_TIME_MS, heartbeatMs: HEARTBEAT_MS }),
          time: this.#time,
          clockOffsetMs: GENESIS_TIME_MS + this.#random.between(0, 3_000),
          heartbeatMs: HEARTBEAT_MS,
          isGuilty: guilty.has(signers.indexOf(signer)),
          send: (from, message) => this.#send(from, message),
          onEvidence: (evidence) => this.#invariants.onEvidence(evidence),
        }),
    );
  }

  run(): SimulationResult {
    for (const node of this.#nodes) node.start();
    this.#repeat(
      () => this.#random.between(20, 400),
      () => this.#addText(),
    );
    this.#repeat(
      () => (this.#hasFaults ? SYNC_INTERVAL_MS.faults : SYNC_INTERVAL_MS.healed),
      () => this.#sync(),
    );
    this.#repeat(
      () => this.#random.between(300, 6_000) * this.#calm,
      () => this.#hasFaults && this.#crashSomeone(),
    );
    this.#repeat(
      () => this.#random.between(500, 8_000) * this.#calm,
      () => this.#hasFaults && this.#partition(),
    );
    this.#repeat(
      () => this.#random.between(100, 1_500),
      () => this.#hasFaults && this.#burst(),
    );
    this.#passTime(this.#options.faultsMs, () => false);
    this.#heal();
    const healedMs = this.#time.nowMs;
    const isDone = this.#passTime(this.#options.recoveryMs, () => this.#isSettled());
    if (!isDone) throw new Error(`not settled: ${JSON.stringify(this.#nodes.map((node) => [node.status, node.chain.pending.size]))}`);
    return {
      height: this.#honest()[0]?.chain.blocks.length ?? 0,
      crashes: this.#nodes.reduce((sum, node) => sum + node.crashes, 0),
      maxRound: this.#maxRound,
      messages: this.#messages,
      accused: this.#invariants.accused.size,
      recoveredMs: this.#time.nowMs - healedMs,
    };
  }

  #honest(): readonly SimulatedNode[] {
    return this.#nodes.slice(this.#options.twins, this.#options.validators);
  }

  #passTime(durationMs: number, isDone: () => boolean): boolean {
    const untilMs = this.#time.nowMs + durationMs;
    for (let steps = 1; this.#time.step(untilMs); steps += 1) {
      if (steps % 200 === 0) this.#check();
      if (isDone()) return true;
    }
    this.#check();
    return isDone();
  }

  #check(): void {
    for (const node of this.#honest()) {
      this.#invariants.checkChain(node.chain);
      this.#maxRound = Math.max(this.#maxRound, node.status?.round ?? 0);
    }
  }

  #isSettled(): boolean {
    const heights = new Set(this.#honest().map((node) => node.chain.blocks.length));
    return heights.size === 1 && this.#honest().every((node) => node.chain.pending.size === 0 && node.status?.step === "idle");
  }

  #repeat(intervalMs: () => number, act: () => unknown): void {
    this.#time.setTimer(intervalMs(), () => {
      act();
      this.#repeat(intervalMs, act);
    });
  }

  #addText(): void {
    if (!this.#hasFaults) return;
    const text = `text ${this.#texts++}`;
    this.#invariants.allow(text);
    for (const node of this.#nodes) {
      this.#time.setTimer(this.#random.between(0, 300), () => {
        node.chain.add(text);
        node.notifyWork();
      });
    }
  }

  #send(from: SimulatedNode, message: ConsensusMessage): void {
    this.#invariants.onSent(message);
    const sender = this.#nodes.indexOf(from);
    for (const [receiver, node] of this.#nodes.entries()) {
      if (receiver === sender) continue;
      const copies = this.#hasFaults && this.#random.chance(0.05) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) this.#carry(sender, receiver, () => node.deliver(message));
    }
  }

  #carry(sender: number, receiver: number, deliver: () => void): void {
    this.#messages += 1;
    const loss = this.#time.nowMs < this.#burstEndMs ? BURST_LOSS : this.#loss;
    if (this.#hasFaults && this.#random.chance(loss)) return;
    this.#time.setTimer(this.#random.between(1, this.#maxDelayMs), () => {
      if (this.#groupOf(sender) === this.#groupOf(receiver)) deliver();
    });
  }

  /** Stands for block synchronisation: who is behind a reachable node gets the next block with its commit. */
  #sync(): void {
    for (const [receiver, node] of this.#nodes.entries()) {
      const height = node.chain.blocks.length;
      const sender = this.#nodes.findIndex((other, index) => other.isUp && index !== receiver && other.chain.blocks.length > height);
      const stored = this.#nodes[sender]?.chain.blocks[height];
      if (stored === undefined || !node.isUp) continue;
      this.#carry(sender, receiver, () => node.deliver({ type: "commit", commit: stored.commit, block: stored.block }));
    }
  }

  #crashSomeone(): void {
    const node = this.#nodes[this.#random.between(0, this.#nodes.length - 1)];
    if (node === undefined || !node.isUp) return;
    if (this.#random.chance(0.3)) node.crash();
    else node.disk.failAfter(this.#random.between(0, 12), this.#random.chance(0.5));
    this.#time.setTimer(this.#random.between(50, 5_000), () => node.restart(this.#random.next()));
  }

  #partition(): void {
    const mask = this.#random.chance(0.4) ? 0 : this.#random.between(1, 2 ** this.#nodes.length - 2);
    this.#groupOf = (index): number => (mask >> index) & 1;
  }

  /** For a moment almost nothing arrives: some see the end of a round, others do not. */
  #burst(): void {
    this.#burstEndMs = this.#time.nowMs + this.#random.between(50, 500);
  }

  #heal(): void {
    this.#hasFaults = false;
    this.#groupOf = (): number => 0;
    const missed = new Set(this.#nodes.flatMap((node) => [...node.chain.pending]));
    for (const node of this.#nodes) {
      node.disk.failAfter(Number.POSITIVE_INFINITY, false);
      node.restart(this.#random.next());
      for (const text of missed) node.chain.add(text);
      node.notifyWork();
    }
  }
}
