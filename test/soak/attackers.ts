// Hostile peers against a network that is soaked: attacks of the siege that need no preparation, one after the other, each against another
// node, for as long as the run lasts.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type AttackerProcess, startAttacker } from "../siege/attacker-process.ts";
import { ATTACKS } from "../siege/attacks.ts";
import { p2pAddressOf } from "../siege/siege-network.ts";
import { residentMiB } from "../siege/victim-figures.ts";
import type { Random } from "../support/host/random.ts";
import type { ProcessNetwork } from "../support/nodes/process-network.ts";
import { keyOf } from "../support/nodes/set-changes.ts";

/** Attacks by peers who have nothing but the network's address; others fill pools or need validators and clients of their own. */
const NAMES = [
  "blocks-ahead",
  "next-block",
  "next-block-address",
  "old-blocks",
  "claims",
  "silent-sockets",
  "full-slots",
  "unfunded",
  "bad-signatures",
  "malformed-gossip",
  "malformed-requests",
] as const;

const ATTACK_MS = 30_000;
const READY_MS = 90_000;
const OVER_MS = 15_000;
/** What a node may hold under attack, MiB. */
const MOST_MEMORY_MIB = 1_024;

/** Holds connections of this machine to the limits of strangers: attackers come from addresses of their own. */
export async function limitLocalPeers(network: ProcessNetwork): Promise<void> {
  for (const { dataDir } of network.nodes) {
    const file = join(dataDir, "config.json");
    const config = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, JSON.stringify({ ...config, p2p_limit_local: true }));
  }
}

/** Attackers of one run. */
export class SoakAttackers implements AsyncDisposable {
  readonly #network: ProcessNetwork;
  readonly #random: Random;
  readonly #counts = new Map<string, number>();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #mostMemoryMiB = 0;

  constructor(network: ProcessNetwork, random: Random) {
    this.#network = network;
    this.#random = random;
    this.#running = this.#attackInTurn();
  }

  /** What went beyond its bounds; empty when nothing did. */
  broken(): readonly string[] {
    const beyond = this.#network.nodes
      .filter(({ isRunning }) => isRunning)
      .map(({ index, pid }) => ({ index, memoryMiB: residentMiB(pid) }));
    this.#mostMemoryMiB = Math.max(this.#mostMemoryMiB, ...beyond.map(({ memoryMiB }) => memoryMiB));
    return beyond
      .filter(({ memoryMiB }) => memoryMiB > MOST_MEMORY_MIB)
      .map(({ index, memoryMiB }) => `node ${index} holds ${memoryMiB.toFixed(0)} MiB`);
  }

  /** How often each attack was made, and the most memory that a node held at a check. */
  report(): string {
    const attacks = [...this.#counts].map(([name, count]) => `${name} ${count}`).join(", ");
    return `attacks: ${attacks}; most memory of a node ${this.#mostMemoryMiB.toFixed(0)} MiB`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #attackInTurn(): Promise<void> {
    for (let turn = 0; !this.#ending.signal.aborted; turn += 1) {
      const name = NAMES[turn % NAMES.length] ?? NAMES[0];
      await using attacker = startAttacker();
      // A node that a fault takes down meanwhile ends an attack early.
      await this.#attack(attacker, name).catch(() => this.#count(`${name} (ended early)`));
    }
  }

  async #attack(attacker: AttackerProcess, name: string): Promise<void> {
    const { nodes, genesis } = this.#network;
    const victim = nodes[this.#random.between(0, nodes.length - 1)];
    if (victim === undefined) throw new Error("A network has nodes");
    const target = {
      chainId: genesis.chain_id,
      genesisHash: genesisHash(genesis),
      richKey: genesis.accounts[0]?.pub_key ?? "",
      nodes: [victim, ...nodes.filter((node) => node !== victim)].map((node) => ({
        port: node.port,
        dataDir: node.dataDir,
        publicKey: keyOf(node).publicKey,
        p2pAddress: p2pAddressOf(this.#network, node.index),
      })),
    };
    attacker.say({ type: "prepare", name, target });
    await attacker.hear("ready", READY_MS);
    attacker.say({ type: "begin" });
    await delay(ATTACK_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    attacker.say({ type: "end" });
    await attacker.hear("over", OVER_MS);
    this.#count(name);
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}

for (const name of NAMES) if (!ATTACKS.some((attack) => attack.name === name)) throw new Error(`There is no attack "${name}"`);
