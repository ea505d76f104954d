// A network of many validators over links of a given rate and latency, on virtual time. Measures how long each block takes and what each
// validator uploads.
import { encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { quickValidators } from "#test/support/chain/memory-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { LinkNetwork, type LinkOptions } from "./link-network.ts";
import { LinkNode } from "./link-node.ts";
import { FALSIFIERS, type Falsify } from "./part-lies.ts";

/** What is measured. */
export interface LinkScenario extends LinkOptions {
  readonly seed: number;
  readonly validators: number;
  /** Validators that are silent: they neither vote nor pass anything on. */
  readonly silent: number;
  /** Validators that vote, and pass parts on wrongly or to some only. */
  readonly lying: number;
  readonly blockBytes: number;
  readonly heights: number;
  /** False to send every block whole. */
  readonly inParts: boolean;
  /** Virtual time after which a run without another block ends, ms. */
  readonly longestMs: number;
}

/** Figures of a run. */
export interface LinkResult {
  /** Time from one block to the next, at the validator in the middle, ms; fewer than asked when one took too long. */
  readonly decisionMs: readonly number[];
  /** Bytes that each honest validator has sent for a block, on average. */
  readonly uploadBytes: readonly number[];
  /** Honest validators that were reported by honest ones. */
  readonly falseReports: number;
}

/** Runs a scenario. */
export function simulateLinks(scenario: LinkScenario): LinkResult {
  return new LinkSimulation(scenario).run();
}

class LinkSimulation {
  readonly #scenario: LinkScenario;
  readonly #time = new VirtualTime();
  readonly #network: LinkNetwork;
  readonly #keys: readonly PublicKeyHex[];
  /** By validator index; silent ones have none. */
  readonly #nodes = new Map<number, LinkNode>();
  readonly #liars = new Map<number, Falsify>();
  /** Honest validators that decided each height. */
  readonly #deciders = new Map<number, number>();
  #falseReports = 0;

  constructor(scenario: LinkScenario) {
    this.#scenario = scenario;
    const random = createRandom(scenario.seed);
    const { validators, signers } = quickValidators(scenario.validators);
    this.#keys = validators.map(({ publicKey }) => publicKey);
    this.#network = new LinkNetwork(scenario.validators, scenario, this.#time);
    const left = [...this.#keys.keys()];
    const draw = (): number => left.splice(random.between(0, left.length - 1), 1)[0] ?? 0;
    const silent = new Set(Array.from({ length: scenario.silent }, draw));
    for (let at = 0; at < scenario.lying; at += 1) this.#liars.set(draw(), FALSIFIERS[at % FALSIFIERS.length] as Falsify);
    for (const [index, signer] of signers.entries()) {
      if (silent.has(index)) continue;
      this.#nodes.set(
        index,
        new LinkNode({
          ...scenario,
          signer,
          validators,
          time: this.#time,
          broadcast: (message): void => this.#broadcast(index, message),
          send: (to, frame): void => {
            for (const key of to) this.#sendPart(index, this.#keys.indexOf(key), frame);
          },
          report: (key): void => this.#noteReport(index, this.#keys.indexOf(key)),
          decided: (height): void => this.#noteDecision(index, height),
        }),
      );
    }
  }

  run(): LinkResult {
    const { heights, longestMs } = this.#scenario;
    const honest = [...this.#nodes].filter(([index]) => !this.#liars.has(index));
    const decisionMs: number[] = [];
    for (const node of this.#nodes.values()) node.start();
    for (let startMs = 0; decisionMs.length < heights; startMs = this.#time.nowMs) {
      const height = decisionMs.length + 1;
      const isDecided = (): boolean => (this.#deciders.get(height) ?? 0) > honest.length / 2;
      while (!isDecided() && this.#time.step(startMs + longestMs));
      if (!isDecided()) break;
      decisionMs.push(this.#time.nowMs - startMs);
    }
    const blocks = Math.max(1, decisionMs.length);
    const uploadBytes = honest.map(([index]) => Math.round((this.#network.sent[index] ?? 0) / blocks));
    return { decisionMs, uploadBytes, falseReports: this.#falseReports };
  }

  #broadcast(from: number, message: ConsensusMessage): void {
    const { length } = encodeConsensusMessage(message);
    for (const to of this.#keys.keys())
      if (to !== from) this.#network.send(from, to, length, () => this.#nodes.get(to)?.receive(message, this.#keyOf(from)));
  }

  #sendPart(from: number, to: number, frame: Uint8Array): void {
    const falsify = this.#liars.get(from);
    const sent = falsify === undefined ? frame : falsify(frame, to);
    if (sent !== undefined) this.#network.send(from, to, sent.length, () => this.#nodes.get(to)?.receivePart(sent, this.#keyOf(from)));
  }

  #noteDecision(by: number, height: number): void {
    if (!this.#liars.has(by)) this.#deciders.set(height, (this.#deciders.get(height) ?? 0) + 1);
  }

  #noteReport(by: number, reported: number): void {
    if (!this.#liars.has(by) && !this.#liars.has(reported)) this.#falseReports += 1;
  }

  #keyOf(index: number): PublicKeyHex {
    return this.#keys[index] ?? "";
  }
}
