// What an attack is: whom it finds, what honest work it must not harm, and the attack itself, which runs in a process of its own.
import type { HistoryName } from "./history.ts";
import type { WorkName } from "./honest-work.ts";

/** A node of the network, as an attacker knows it. */
export interface TargetNode {
  /** Ed25519 key, hex. */
  readonly publicKey: string;
  readonly port: number;
  /** Multiaddress with the peer id. */
  readonly p2pAddress: string;
  readonly dataDir: string;
}

/** The network that is attacked; its first node is the victim. Plain data: it goes to another process. */
export interface Target {
  readonly chainId: string;
  readonly genesisHash: string;
  readonly nodes: readonly TargetNode[];
  /** A mailbox that the victim keeps, where there are keepers. */
  readonly keptBox?: string;
  /** Others, the first one of a person whose contacts write to other boxes. */
  readonly floodedBoxes?: readonly string[];
  /** Public key of an account with money. */
  readonly richKey: string;
}

/** How an attack and the program that measures it take turns. */
export interface Turn {
  /** What comes before is preparation; resolves when the attack is to begin. */
  begin(): Promise<void>;
  /** Ends the attack. */
  readonly signal: AbortSignal;
  /** Adds to a figure of the report. */
  count(what: string, by?: number): void;
  /** Something that must not be possible was possible. */
  problem(words: string): void;
}

/** How large the network is. */
export interface NetworkShape {
  readonly validators: number;
  readonly followers?: number;
  /** True when the victim is a light node. */
  readonly isLight?: boolean;
  /** Validators at the end that the attacker runs himself. */
  readonly hostile?: number;
  /** True to hold clients of this machine to the limits of strangers. */
  readonly limitsLoopback?: boolean;
  /** Nodes, the validators first, that have kept the mail of all for days. */
  readonly keepers?: number;
  /** Networks of the attacker that have brought the victim nearly all that each may on this day. */
  readonly nearlyUsedDays?: number;
  /** True for a chain whose next block is one of which nodes make a snapshot. */
  readonly hasSnapshot?: boolean;
}

/** One attack. */
export interface Attack {
  readonly name: string;
  /** What it is, in words, for the table. */
  readonly title: string;
  /** Honest work that is measured. */
  readonly work: WorkName;
  readonly network: NetworkShape;
  /** What the chain holds before. */
  readonly history?: HistoryName;
  /** Prepares, waits for its turn, and attacks until the signal. */
  attack(target: Target, turn: Turn): Promise<void>;
}

/** The victim. @throws Error when the network has no node. */
export function victimOf({ nodes }: Target): TargetNode {
  const [victim] = nodes;
  if (victim === undefined) throw new Error("A network has nodes");
  return victim;
}
