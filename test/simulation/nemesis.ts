// Does the harm of a scenario: crashes at any operation of a disk, torn, cut and damaged logs, partitions, bursts of loss, clocks that
// jump, machines that sleep.
import type { Random } from "#test/support/host/random.ts";
import type { VirtualTime } from "#test/support/host/virtual-time.ts";
import type { Scenario } from "./scenario.ts";
import type { SimulatedNetwork } from "./simulated-network.ts";
import type { Restart, SimulatedNode } from "./simulated-node.ts";

/** A node and the validator that it is. */
export interface Machine {
  readonly node: SimulatedNode;
  readonly index: number;
}

/** What a nemesis works on. */
export interface NemesisDependencies {
  readonly scenario: Scenario;
  readonly random: Random;
  readonly time: VirtualTime;
  readonly network: SimulatedNetwork;
  readonly machines: readonly Machine[];
}

const STROBE_MS = 1_500;
const JUMP_MS = 7_200_000;

/** Harms the network until it heals. */
export class Nemesis {
  readonly #dependencies: NemesisDependencies;
  #isActive = true;

  constructor(dependencies: NemesisDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { random, network, machines, scenario } = this.#dependencies;
    const apart = machines.flatMap(({ index }, at): (readonly [number, number])[] => {
      const twin = machines.findIndex((other, otherAt) => otherAt > at && other.index === index);
      return twin === -1 ? [] : [[at, twin]];
    });
    const { calm, separatesTwins } = scenario;
    if (separatesTwins) network.partition(apart, true);
    this.#repeat(300 * calm, 6_000 * calm, () => this.#crashSomeone());
    if (scenario.emptied.size > 0) this.#repeat(500, 3_000, () => this.#crashEmptied());
    this.#repeat(20 * calm, 200 * calm, () => this.#crashWriter());
    this.#repeat(500 * calm, 8_000 * calm, () => network.partition(apart, separatesTwins));
    this.#repeat(100, 1_500, () => network.burst());
    this.#repeat(300, 3_000, () => this.#setClock());
    this.#repeat(2_000 * calm, 10_000 * calm, () =>
      machines[random.between(0, machines.length - 1)]?.node.sleep(random.between(200, 12_000)),
    );
  }

  /** Ends all harm: clocks are set right, machines are started, and what is damaged is cleared away. */
  heal(): void {
    this.#isActive = false;
    for (const { node } of this.#dependencies.machines) {
      node.setClock(0);
      node.disk.failAfter(Number.POSITIVE_INFINITY, false);
      node.restart({ keep: 1 });
      if (node.isUp || node.refusals === 0) continue;
      // What a person does with a damaged log: the guard stays, so the node abstains until the height is decided.
      node.disk.log = new Uint8Array();
      node.restart({ keep: 1 });
    }
  }

  #repeat(leastMs: number, mostMs: number, harm: () => void): void {
    const { random, time } = this.#dependencies;
    time.setTimer(random.between(leastMs, mostMs), () => {
      if (!this.#isActive) return;
      harm();
      this.#repeat(leastMs, mostMs, harm);
    });
  }

  #crashSomeone(): void {
    const { random, machines } = this.#dependencies;
    const machine = machines[random.between(0, machines.length - 1)];
    if (machine === undefined || !machine.node.isUp) return;
    if (random.chance(0.3)) machine.node.crash();
    else machine.node.disk.failAfter(random.between(0, 12), random.chance(0.5));
    this.#restartLater(machine);
  }

  #crashEmptied(): void {
    const { scenario, machines } = this.#dependencies;
    const machine = machines.find(({ index, node }) => scenario.emptied.has(index) && node.isUp);
    if (machine === undefined) return;
    machine.node.crash();
    this.#restartLater(machine);
  }

  /** Power loss while another thread writes blocks. */
  #crashWriter(): void {
    const { random, machines } = this.#dependencies;
    const machine = machines.find(({ node }) => node.isWriting);
    if (machine === undefined || !random.chance(0.1)) return;
    machine.node.crash();
    this.#restartLater(machine);
  }

  #restartLater({ node, index }: Machine): void {
    const { random, time, scenario, machines } = this.#dependencies;
    time.setTimer(random.between(50, 5_000), () => {
      if (node.isUp || !this.#isActive) return;
      if (scenario.damagedDisks.has(index) && random.chance(0.7)) this.#damage(node);
      // One that has signed nothing yet abstains like one that was emptied: two of four would be too many.
      const haveAllSigned = machines.every((machine) => machine.index === index || machine.node.disk.guard !== undefined);
      if (scenario.emptied.has(index) && haveAllSigned) node.empty();
      node.restart(this.#restart());
    });
  }

  #restart(): Restart {
    const { random } = this.#dependencies;
    const garbage = new Uint8Array(random.chance(0.3) ? random.between(1, 64) : 0).fill(random.chance(0.5) ? 0 : random.between(1, 255));
    const keep = random.next();
    return random.chance(0.2) ? { keep, garbage, failAfter: random.between(0, 4) } : { keep, garbage };
  }

  #damage({ disk }: SimulatedNode): void {
    const { random } = this.#dependencies;
    if (random.chance(0.5)) disk.cutLog(random.between(1, random.chance(0.5) ? 400 : 20_000));
    else disk.damageLog(random.next());
  }

  #setClock(): void {
    const { random, machines, scenario } = this.#dependencies;
    const machine = machines[random.between(0, machines.length - 1)];
    if (machine === undefined) return;
    const isStray = scenario.strayClocks.has(machine.index);
    machine.node.setClock(isStray ? random.between(-JUMP_MS, JUMP_MS) : random.between(0, STROBE_MS));
  }
}
