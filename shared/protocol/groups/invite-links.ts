// Invite links in a log, and which additions by them hold. An `add` is by a link where it follows an `admit` of its author with the same
// people and nothing else: who knows no links reads an addition like others. A withdrawal goes before an addition beside it. What a base knows
// counts as it carries it on, whether what is before it is there or not: so all devices see the same links, where their logs begin earlier or
// later.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { BaseLink, BaseState } from "./base-state.ts";
import { compareEntries, type EntryNode, isBefore, isConcurrent, latestOf } from "./entry-graph.ts";
import { MAX_BASE_LINKS } from "./group-bounds.ts";
import type { EntryHash } from "./log-entry.ts";

/** A link, and where the log says that it was made: the entry, or the base that carries it on. */
interface MadeLink {
  readonly node: EntryNode;
  readonly link: BaseLink;
}

/** Links as a set of entries has them: what the last base among these carries on, and what that does not know. */
interface Frame {
  readonly carried: ReadonlyMap<PublicKeyHex, MadeLink>;
  /** Bits of that base and of what it knows. */
  readonly settled: bigint;
  /** Bits of the set. */
  readonly within: bigint;
}

interface Arrival {
  readonly node: EntryNode;
  readonly person: PublicKeyHex;
}

/** What the links of a log depend on. */
export interface LinkContext {
  readonly nodes: readonly EntryNode[];
  /** Entries about links whose authors had the right to them, in their order. */
  readonly rightful: readonly EntryNode[];
  /** Bases of owners that hold, in their order, the root among them. */
  readonly bases: readonly EntryNode[];
  readonly root: { readonly node: EntryNode; readonly state: BaseState } | undefined;
  /** Entries by which a person lost the right to change the group. */
  readonly lossesOf: (person: PublicKeyHex) => readonly EntryNode[];
  /** True where an entry of the owner knows this one: no one's own leaving takes it back. */
  readonly isBuiltUpon: (node: EntryNode) => boolean;
}

/** The links of a log. */
export class InviteLinks {
  readonly #context: LinkContext;
  readonly #byHash: ReadonlyMap<EntryHash, EntryNode>;
  readonly #made = new Map<PublicKeyHex, MadeLink[]>();
  readonly #withdrawals = new Map<PublicKeyHex, EntryNode[]>();
  readonly #arrivals = new Map<PublicKeyHex, Arrival[]>();
  readonly #losses = new Map<PublicKeyHex, readonly EntryNode[]>();
  readonly #carried = new Map<EntryNode, ReadonlyMap<PublicKeyHex, MadeLink>>();
  readonly #all: bigint;

  constructor(context: LinkContext) {
    this.#context = context;
    this.#all = (1n << BigInt(context.nodes.length)) - 1n;
    this.#byHash = new Map(context.nodes.map((node) => [node.hash, node]));
    if (context.root) this.#carried.set(context.root.node, carriedAt(context.root.node, context.root.state.links));
    for (const node of context.rightful) {
      const { n, author: maker, change } = node.entry;
      if (change.op === "withdraw") for (const key of change.keys) pushTo(this.#withdrawals, key, node);
      if (change.op !== "invite") continue;
      const { key, until, uses } = change;
      pushTo(this.#made, key, { node, link: { key, maker, until, uses, used: 0, n, hash: node.hash } });
    }
  }

  /** The link by which an entry adds people; undefined for every other entry. */
  linkOf({ entry: { author, prev, change } }: EntryNode): PublicKeyHex | undefined {
    const before = change.op === "add" && prev.length === 1 ? this.#byHash.get(prev[0] as EntryHash)?.entry : undefined;
    if (change.op !== "add" || before?.change.op !== "admit" || before.author !== author) return undefined;
    return before.change.guests.join() === change.people.join() ? before.change.key : undefined;
  }

  /** False for an addition by a link that did not allow it. Those that it knows must have been counted by {@link count}. */
  allows(node: EntryNode): boolean {
    const key = this.linkOf(node);
    const { change } = node.entry;
    if (key === undefined || change.op !== "add") return true;
    const frame = this.#frameOf(node.past);
    const found = this.#linkIn(frame, key);
    const isEnding = (other: EntryNode): boolean => isBefore(other, node) || isConcurrent(other, node);
    if (found === undefined || this.#withdrawalsSince(frame, key).some(isEnding)) return false;
    const { maker, until, uses, used } = found.link;
    if (change.at > until || used + this.#cameBy(frame, key) + change.people.length > uses) return false;
    return !this.#lossesOf(maker).some((loss) => this.#isTaking(loss, { made: found.node, maker, node }));
  }

  /** Counts someone who came in by an entry, where that is by a link. */
  count(node: EntryNode, person: PublicKeyHex): void {
    const key = this.linkOf(node);
    if (key !== undefined) pushTo(this.#arrivals, key, { node, person });
  }

  /** Links that let people in, but for those that are over by the clock; by key, ascending. */
  get living(): readonly BaseLink[] {
    return this.#livingIn(this.#frameOf(this.#all)).map(({ link }) => link);
  }

  /** Entries that living links, and the end of others, follow from. */
  get anchors(): readonly EntryNode[] {
    const made = [...this.#made.values()].flatMap((links) => links.map(({ node }) => node));
    const came = this.living.flatMap(({ key }) => (this.#arrivals.get(key) ?? []).map(({ node }) => node));
    const ended = [...this.#withdrawals].flatMap(([key, nodes]) => (this.#isKnown(key) ? nodes.map((node) => ({ node })) : []));
    const latest = latestOf(
      ended.sort((a, b) => compareEntries(a.node, b.node)),
      this.#all,
    );
    return [...made, ...came, ...latest.map(({ node }) => node)];
  }

  #isKnown(key: PublicKeyHex): boolean {
    return this.#made.has(key) || this.#context.root?.state.links.some((link) => link.key === key) === true;
  }

  #frameOf(within: bigint): Frame {
    const base = this.#context.bases.findLast(({ bit }) => (within & bit) !== 0n);
    return base === undefined
      ? { carried: new Map(), settled: 0n, within }
      : { carried: this.#carriedBy(base), settled: base.past | base.bit, within };
  }

  /** What a base carries on; its own words are not needed for that. */
  #carriedBy(base: EntryNode): ReadonlyMap<PublicKeyHex, MadeLink> {
    const known = this.#carried.get(base);
    if (known !== undefined) return known;
    const living = this.#livingIn(this.#frameOf(base.past)).map(({ link }) => link);
    const carried = carriedAt(base, carriedOf(living));
    this.#carried.set(base, carried);
    return carried;
  }

  /** The link of a key: of several that were made the first one, so that none gives another one more people or time. */
  #linkIn({ carried, settled, within }: Frame, key: PublicKeyHex): MadeLink | undefined {
    return carried.get(key) ?? this.#made.get(key)?.find(({ node: { bit } }) => (within & ~settled & bit) !== 0n);
  }

  #withdrawalsSince({ settled }: Frame, key: PublicKeyHex): readonly EntryNode[] {
    return (this.#withdrawals.get(key) ?? []).filter(({ bit }) => (settled & bit) === 0n);
  }

  #livingIn(frame: Frame): readonly MadeLink[] {
    const { carried, within } = frame;
    const isKnown = ({ bit }: EntryNode): boolean => (within & bit) !== 0n;
    const living = [...new Set([...carried.keys(), ...this.#made.keys()])].flatMap((key): readonly MadeLink[] => {
      const found = this.#linkIn(frame, key);
      if (found === undefined || this.#withdrawalsSince(frame, key).some(isKnown)) return [];
      const { node, link } = found;
      if (this.#lossesOf(link.maker).some((loss) => isKnown(loss) && !isBefore(loss, node))) return [];
      return [{ node, link: { ...link, used: link.used + this.#cameBy(frame, key) } }];
    });
    return living.sort((a, b) => (a.link.key < b.link.key ? -1 : 1));
  }

  #lossesOf(person: PublicKeyHex): readonly EntryNode[] {
    const losses = this.#losses.get(person) ?? this.#context.lossesOf(person);
    this.#losses.set(person, losses);
    return losses;
  }

  /** The right of who made the link ended after that, and not only after the addition. */
  #isTaking(
    loss: EntryNode,
    { made, maker, node }: { readonly made: EntryNode; readonly maker: PublicKeyHex; readonly node: EntryNode },
  ): boolean {
    if (isBefore(loss, made) || isBefore(node, loss)) return false;
    const isOwnLeaving = loss.entry.author === maker && loss.entry.change.op === "leave";
    return !(isOwnLeaving && isConcurrent(loss, node) && this.#context.isBuiltUpon(node));
  }

  /** How often someone came by a link since the base. Who comes back counts again; whom two admins let in at once counts once. */
  #cameBy({ settled, within }: Frame, key: PublicKeyHex): number {
    const counted = new Map<PublicKeyHex, EntryNode[]>();
    let count = 0;
    for (const { node, person } of this.#arrivals.get(key) ?? []) {
      if ((within & ~settled & node.bit) === 0n || counted.get(person)?.some((other) => isConcurrent(other, node)) === true) continue;
      pushTo(counted, person, node);
      count += 1;
    }
    return count;
  }
}

/** The links that a base carries on: those that have room left before others, and the newest of them. By key, ascending. */
export function carriedOf(living: readonly BaseLink[]): readonly BaseLink[] {
  const isUsedUp = ({ uses, used }: BaseLink): number => Number(used >= uses);
  return living
    .toSorted((a, b) => isUsedUp(a) - isUsedUp(b) || b.n - a.n || (a.hash < b.hash ? -1 : 1))
    .slice(0, MAX_BASE_LINKS)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function carriedAt(node: EntryNode, links: readonly BaseLink[]): ReadonlyMap<PublicKeyHex, MadeLink> {
  return new Map(links.map((link) => [link.key, { node, link }]));
}

function pushTo<Thing>(lists: Map<PublicKeyHex, Thing[]>, key: PublicKeyHex, thing: Thing): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [thing]);
  else list.push(thing);
}
