// A whole network in one process under the faults of a scenario. After the faults heal, everything pending must be committed
// everywhere within bounded virtual time, and the invariants must have held all along.
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import type { ConsensusMessage, MessageSender } from "#node/engine/consensus-network.ts";
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import { MemoryChain, quickValidators, type StoredBlock } from "#test/support/chain/memory-chain.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { Invariants } from "./invariants.ts";
import { hastyVotes, type LiarContext, spoken } from "./lies.ts";
import { Nemesis } from "./nemesis.ts";
import { type Badness, hasRightTime, type Scenario } from "./scenario.ts";
import { SimulatedNetwork } from "./simulated-network.ts";
import { SimulatedNode } from "./simulated-node.ts";

const GENESIS_TIME_MS = 1_800_000_000_000;
const HEARTBEAT_MS = 20_000;
/** How far the clocks of honest nodes are apart from the start, ms. */
const CLOCK_SPREAD_MS = 3_000;
/** What a block's time may be ahead of the right one: the spread, strobes of the clock, and the precision of proposals. */
const LATEST_AHEAD_MS = CLOCK_SPREAD_MS + 1_500 + 5_000;
/** Slow under faults: a quick synchronisation would hide what votes alone must get right. */
/** How long a machine takes to come back, ms. */
const RESTART_MS = 50;
const SYNC_INTERVAL_MS = { faults: 4_000, healed: 200 };
const HEARD_MESSAGES = 40;
const CHECK_STEPS = 200;

/** What happened in a run. */
export interface SimulationResult {
  readonly height: number;
  readonly maxRound: number;
  readonly messages: number;
  readonly crashes: number;
  /** Starts refused for a damaged log. */
  readonly refusals: number;
  /** Folders of honest validators that were emptied. */
  readonly emptied: number;
  /** Honest nodes that stopped because more than two thirds decided otherwise. */
  readonly halts: number;
  /** Forks that nodes found out about. */
  readonly provenForks: number;
  readonly accused: number;
  /** Messages of liars that no honest node sends. */
  readonly rejections: number;
  readonly forks: number;
  /** Blocks that became durable in batches of several. */
  readonly batchBlocks: number;
  /** Power losses while another thread wrote blocks. */
  readonly writingLosses: number;
  /** Points at which machines lost power. */
  readonly crashPoints: ReadonlySet<string>;
  /** Not everything was committed in time; only where that may happen. */
  readonly hasStalled: boolean;
  /** Virtual time from heal to done, ms. */
  readonly recoveredMs: number;
}

/** Runs a scenario. @throws Error when an invariant breaks. */
export function simulate(scenario: Scenario, allowsForks = false): SimulationResult {
  return new Simulation(scenario, allowsForks).run();
}

interface Seat {
  readonly index: number;
  readonly badness: Badness | undefined;
}

class Simulation {
  readonly #scenario: Scenario;
  readonly #allowsForks: boolean;
  readonly #random: Random;
  readonly #time = new VirtualTime();
  readonly #seats: readonly Seat[];
  readonly #nodes: readonly SimulatedNode[];
  readonly #network: SimulatedNetwork;
  readonly #nemesis: Nemesis;
  readonly #invariants: Invariants;
  readonly #newChain: () => MemoryChain;
  readonly #received = new Map<SimulatedNode, ConsensusMessage[]>();
  readonly #crashPoints = new Set<string>();
  #hasFaults = true;
  #texts = 0;
  #maxRound = 0;
  #halts = 0;
  #rejections = 0;
  #provenForks = 0;

  constructor(scenario: Scenario, allowsForks: boolean) {
    this.#scenario = scenario;
    this.#allowsForks = allowsForks;
    this.#random = createRandom(scenario.seed);
    const { validators, signers } = quickValidators(scenario.validators);
    const guilty = new Set(scenario.bad.keys());
    this.#invariants = new Invariants({ validators, guilty, allowsForks });
    this.#newChain = (): MemoryChain => new MemoryChain({ validators, genesisTimeMs: GENESIS_TIME_MS, heartbeatMs: HEARTBEAT_MS });
    const first = signers.map((_, index): Seat => ({ index, badness: scenario.bad.get(index) }));
    this.#seats = [...first, ...first.filter(({ badness }) => badness?.kind === "twin")];
    this.#nodes = this.#seats.map(({ index, badness }) => this.#createNode(signers[index] as ValidatorSigner, badness));
    this.#network = new SimulatedNetwork(this.#nodes.length, scenario, { time: this.#time, random: this.#random });
    this.#nemesis = new Nemesis({
      scenario,
      random: this.#random,
      time: this.#time,
      network: this.#network,
      machines: this.#nodes.map((node, at) => ({ node, index: this.#seats[at]?.index ?? 0 })),
    });
  }

  run(): SimulationResult {
    for (const node of this.#nodes) node.start();
    this.#repeat(
      () => this.#random.between(20, 400),
      () => this.#hasFaults && this.#addText(300),
    );
    this.#repeat(
      () => (this.#hasFaults ? SYNC_INTERVAL_MS.faults : SYNC_INTERVAL_MS.healed),
      () => this.#sync(),
    );
    this.#nemesis.start();
    this.#passTime(this.#scenario.faultsMs, () => false);
    this.#heal();
    const healedMs = this.#time.nowMs;
    const isDone = this.#passTime(this.#scenario.recoveryMs, () => this.#isResolved());
    if (!isDone && !this.#allowsForks && !this.#mayStall()) throw new Error(`not settled: ${JSON.stringify(this.#describe())}`);
    this.#checkEnd();
    return {
      height: Math.max(...this.#honest().map((node) => node.chain.blocks.length)),
      maxRound: this.#maxRound,
      messages: this.#network.messages,
      crashes: this.#nodes.reduce((sum, node) => sum + node.crashes, 0),
      refusals: this.#nodes.reduce((sum, node) => sum + node.refusals, 0),
      emptied: this.#nodes.reduce((sum, node) => sum + node.emptied, 0),
      halts: this.#halts,
      provenForks: this.#provenForks,
      accused: this.#invariants.accused.size,
      rejections: this.#rejections,
      forks: this.#invariants.forks.size,
      batchBlocks: this.#nodes.reduce((sum, node) => sum + node.batches.blocks, 0),
      writingLosses: this.#nodes.reduce((sum, node) => sum + node.batches.losses, 0),
      crashPoints: this.#crashPoints,
      hasStalled: !isDone,
      recoveredMs: this.#time.nowMs - healedMs,
    };
  }

  #createNode(signer: ValidatorSigner, badness: Badness | undefined): SimulatedNode {
    return new SimulatedNode({
      signer,
      chain: this.#newChain(),
      time: this.#time,
      clockOffsetMs: GENESIS_TIME_MS + this.#random.between(0, CLOCK_SPREAD_MS),
      heartbeatMs: HEARTBEAT_MS,
      isBad: badness !== undefined,
      isAmnesiac: badness?.kind === "amnesiac",
      prepareMs: (): number | null => (this.#random.chance(0.2) ? this.#random.between(1, 60) : null),
      writeMs: (): number | null => (this.#random.chance(0.5) ? this.#random.between(1, 120) : null),
      lands: (): boolean => this.#random.chance(0.5),
      onCommitted: (node, height, hash): void => this.#invariants.onNotified(node.chain, height, hash),
      send: (from, message): void => this.#send(from, message),
      onEvidence: (evidence): void => this.#invariants.onEvidence(evidence),
      onFork: (): void => {
        if (!this.#allowsForks) throw new Error("a fork is said to be proven");
        this.#provenForks += 1;
      },
      onHalt: (_node, error): void => {
        if (!this.#allowsForks) throw error;
        this.#halts += 1;
      },
      onPowerLoss: (node): void => this.#notePowerLoss(node),
    });
  }

  #honest(): readonly SimulatedNode[] {
    return this.#nodes.filter((_, at) => this.#seats[at]?.badness === undefined);
  }

  #passTime(durationMs: number, isDone: () => boolean): boolean {
    const untilMs = this.#time.nowMs + durationMs;
    for (let steps = 1; this.#time.step(untilMs); steps += 1) {
      if (steps % CHECK_STEPS !== 0) continue;
      this.#check();
      if (isDone()) return true;
    }
    this.#check();
    return isDone();
  }

  #check(): void {
    const latestMs =
      hasRightTime(this.#scenario) && !this.#allowsForks ? GENESIS_TIME_MS + this.#time.nowMs + LATEST_AHEAD_MS : Number.POSITIVE_INFINITY;
    for (const node of this.#honest()) {
      this.#invariants.checkChain(node.chain, latestMs);
      this.#maxRound = Math.max(this.#maxRound, node.status?.round ?? 0);
    }
  }

  #checkEnd(): void {
    const [first] = this.#honest();
    if (first !== undefined) this.#invariants.checkReplay(first.chain, this.#newChain());
    for (const [at, node] of this.#nodes.entries()) {
      const seat = this.#seats[at];
      if (seat?.badness === undefined) this.#invariants.checkLog(node.disk.log, seat?.index ?? 0);
    }
  }

  #isResolved(): boolean {
    const honest = this.#honest();
    const heights = new Set(honest.map((node) => node.chain.blocks.length));
    // Who lies may keep a height awake for ever; that is no harm.
    const isIdle = this.#scenario.bad.size > 0 || honest.every((node) => node.status?.step === "idle");
    return heights.size === 1 && isIdle && honest.every((node) => node.isUp && node.chain.pending.size === 0);
  }

  /** One that has signed nothing and was away when the first blocks were made abstains like one that lost its memory. */
  #mayStall(): boolean {
    const { mayStall, bad, validators } = this.#scenario;
    const unsigned = this.#honest().filter(({ disk, status }) => disk.guard === undefined && status?.isVoting === false);
    return mayStall || (unsigned.length > 0 && !isQuorum(validators - bad.size - unsigned.length, validators));
  }

  #describe(): readonly unknown[] {
    return this.#nodes.map((node) => [node.status, node.chain.pending.size, node.isUnsure]);
  }

  #repeat(intervalMs: () => number, act: () => unknown): void {
    this.#time.setTimer(intervalMs(), () => {
      act();
      this.#repeat(intervalMs, act);
    });
  }

  #addText(maxDelayMs: number): void {
    const text = `text ${this.#texts++}`;
    this.#invariants.allow(text);
    for (const node of this.#nodes) {
      this.#time.setTimer(this.#random.between(0, maxDelayMs), () => {
        node.chain.add(text);
        node.notifyWork();
      });
    }
  }

  #send(from: SimulatedNode, message: ConsensusMessage): void {
    const sender = this.#nodes.indexOf(from);
    const badness = this.#seats[sender]?.badness;
    if (badness === undefined) this.#invariants.onSent(message);
    for (const receiver of this.#nodes.keys()) if (receiver !== sender) this.#sendTo(sender, receiver, message);
  }

  #sendTo(sender: number, receiver: number, message: ConsensusMessage): void {
    const badness = this.#seats[sender]?.badness;
    if (badness?.kind !== "liar") this.#carry(sender, receiver, message, 0);
    else
      for (const said of spoken(message, receiver, badness.lies, this.#liar(sender)))
        this.#carry(sender, receiver, said.message, said.delayMs);
  }

  #carry(sender: number, receiver: number, message: ConsensusMessage, heldBackMs: number): void {
    this.#network.carry(sender, receiver, heldBackMs, () => this.#deliver(sender, receiver, message));
  }

  #deliver(sender: number, receiver: number, message: ConsensusMessage): void {
    const node = this.#nodes[receiver];
    const badness = this.#seats[receiver]?.badness;
    if (node === undefined) return;
    node.deliver(message, this.#senderOf(sender, receiver));
    if (badness?.kind !== "liar" || !node.isUp) return;
    const received = this.#received.get(node) ?? [];
    received.push(message);
    if (received.length > HEARD_MESSAGES) received.shift();
    this.#received.set(node, received);
    if (!badness.lies.includes("hasty")) return;
    for (const vote of hastyVotes(message, this.#liar(receiver)))
      for (const other of this.#nodes.keys()) if (other !== receiver) this.#carry(receiver, other, vote, 0);
  }

  /** The stream of one node to another. No honest node may find that an honest one sends what no honest one sends. */
  #senderOf(sender: number, receiver: number): MessageSender {
    return {
      name: `node ${sender}`,
      publicKey: this.#nodes[sender]?.signer.publicKey ?? null,
      reject: (): void => {
        if (this.#seats[sender]?.badness === undefined && this.#seats[receiver]?.badness === undefined && !this.#allowsForks)
          throw new Error(`honest node ${sender} is rejected by node ${receiver}`);
        this.#rejections += 1;
      },
      reply: (message): void => this.#sendTo(receiver, sender, message),
    };
  }

  #liar(at: number): LiarContext {
    const node = this.#nodes[at] as SimulatedNode;
    const { seed, validators: size } = this.#scenario;
    return {
      index: this.#seats[at]?.index ?? 0,
      size,
      signer: node.signer,
      chain: node.chain,
      random: this.#random,
      isOther: (receiver, height, round): boolean => (((receiver * 31 + height * 17 + round * 7 + seed) >> 1) & 1) === 0,
      received: this.#received.get(node) ?? [],
    };
  }

  /** Stands for block synchronisation: a node behind a reachable one gets the next blocks with commits, in batches or the first alone. */
  #sync(): void {
    for (const [receiver, node] of this.#nodes.entries()) {
      const height = node.chain.blocks.length;
      const isReachable = (other: SimulatedNode, index: number): boolean =>
        other.isUp && !other.isAsleep && index !== receiver && this.#network.isLinked(index, receiver);
      const sender = this.#nodes.findIndex((other, index) => isReachable(other, index) && other.chain.blocks.length > height);
      const missing = this.#nodes[sender]?.chain.blocks.slice(height) ?? [];
      const [stored] = missing;
      if (!node.isUp) continue;
      // A sole validator has no peers.
      if (stored === undefined) {
        if (this.#nodes.length === 1 || this.#nodes.some(isReachable)) node.isLevel();
      } else if (this.#random.chance(0.75)) this.#carryBatches(sender, receiver, missing);
      else this.#carry(sender, receiver, { type: "commit", commit: stored.commit, block: stored.block }, 0);
    }
  }

  /** One batch, or two of which the second is there before the first is durable; some begin too late, or end with a false commit. */
  #carryBatches(sender: number, receiver: number, missing: readonly StoredBlock[]): void {
    const [first, second] = [this.#random.between(1, 4), this.#random.between(0, 4)];
    const late = this.#random.chance(0.05) ? 1 : 0;
    const follow = (batch: readonly StoredBlock[]): void =>
      this.#network.carry(sender, receiver, 0, () => batch.length > 0 && this.#nodes[receiver]?.follow(batch));
    const batch = missing.slice(late, first);
    follow(this.#random.chance(0.1) ? batch.map((stored, index) => (index === batch.length - 1 ? unproven(stored) : stored)) : batch);
    follow(missing.slice(first, first + second));
  }

  #notePowerLoss(node: SimulatedNode): void {
    const { lastLoss } = node.disk;
    // Power went before the network healed and the engine learns of it after: what it wrote was on its way.
    if (!this.#hasFaults) this.#time.setTimer(RESTART_MS, () => node.restart({ keep: 1 }));
    if (lastLoss === undefined) return;
    this.#crashPoints.add(`${lastLoss.isDone ? "after" : "before"} ${lastLoss.operation}`);
    if (node.isStarting) this.#crashPoints.add("during replay");
  }

  #heal(): void {
    this.#hasFaults = false;
    this.#network.heal();
    this.#nemesis.heal();
    const missed = new Set(this.#nodes.flatMap((node) => [...node.chain.pending]));
    for (const node of this.#nodes) for (const text of missed) node.chain.add(text);
    this.#addText(10);
  }
}

function unproven({ commit, ...stored }: StoredBlock): StoredBlock {
  return { ...stored, commit: { ...commit, bitmap: new Uint8Array(commit.bitmap.length), signatures: [] } };
}
