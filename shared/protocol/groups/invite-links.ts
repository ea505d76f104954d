// Invite links in a log, and which additions by them hold. An `add` is by a link where it follows an `admit` of its author with the same
// people and nothing else: who knows no links reads an addition like others. A withdrawal goes before an addition beside it.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { BaseLink, BaseState } from "./base-state.ts";
import { compareEntries, type EntryNode, isBefore, isConcurrent, latestOf } from "./entry-graph.ts";
import type { EntryHash } from "./log-entry.ts";

/** A link, and where the log says that it was made: the entry, or the base that carries it on. */
interface MadeLink {
  readonly node: EntryNode;
  readonly link: BaseLink;
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
  readonly root: { readonly node: EntryNode; readonly state: BaseState } | undefined;
  /** Entries by which a person lost the right to change the group. */
  readonly lossesOf: (person: PublicKeyHex) => readonly EntryNode[];
  /** True where an entry of the owner knows this one: nobody's own leaving takes it back. */
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

  constructor(context: LinkContext) {
    this.#context = context;
    this.#byHash = new Map(context.nodes.map((node) => [node.hash, node]));
    for (const link of context.root?.state.links ?? []) if (context.root) pushTo(this.#made, link.key, { node: context.root.node, link });
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
    if ((this.#withdrawals.get(key) ?? []).some((other) => isBefore(other, node) || isConcurrent(other, node))) return false;
    const came = this.#cameBy(key, node.past, change.people);
    return (this.#made.get(key) ?? []).some(({ node: made, link: { maker, until, uses, used } }) => {
      if (!isBefore(made, node) || change.at > until || used + came > uses) return false;
      return !this.#lossesOf(maker).some((loss) => this.#isTaking(loss, { made, maker, node }));
    });
  }

  /** Counts someone who came in by an entry, where that is by a link. */
  count(node: EntryNode, person: PublicKeyHex): void {
    const key = this.linkOf(node);
    if (key !== undefined) pushTo(this.#arrivals, key, { node, person });
  }

  /** Links that let people in, but for those that are over by the clock; by key, ascending. */
  get living(): readonly BaseLink[] {
    return this.#living().map(({ link }) => link);
  }

  /** Entries that living links, and the end of others, follow from. */
  get anchors(): readonly EntryNode[] {
    const living = this.#living().flatMap(({ node, link }) => [node, ...(this.#arrivals.get(link.key) ?? []).map((one) => one.node)]);
    const all = (1n << BigInt(this.#context.nodes.length)) - 1n;
    const ended = [...this.#withdrawals].flatMap(([key, nodes]) => (this.#made.has(key) ? nodes.map((node) => ({ node })) : []));
    return [
      ...living,
      ...latestOf(
        ended.sort((a, b) => compareEntries(a.node, b.node)),
        all,
      ).map(({ node }) => node),
    ];
  }

  #living(): readonly MadeLink[] {
    const living = [...this.#made].flatMap(([key, made]): readonly MadeLink[] => {
      if (this.#withdrawals.has(key)) return [];
      const lasting = made.find(({ node, link: { maker } }) => this.#lossesOf(maker).every((loss) => isBefore(loss, node)));
      if (lasting === undefined) return [];
      const came = new Set((this.#arrivals.get(key) ?? []).map(({ person }) => person)).size;
      return [{ ...lasting, link: { ...lasting.link, used: lasting.link.used + came } }];
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

  /** How many different people came by a link within a set of entries, with these. */
  #cameBy(key: PublicKeyHex, within: bigint, people: readonly PublicKeyHex[]): number {
    const before = (this.#arrivals.get(key) ?? []).filter(({ node }) => (within & node.bit) !== 0n);
    return new Set([...before.map(({ person }) => person), ...people]).size;
  }
}

function pushTo<Thing>(lists: Map<PublicKeyHex, Thing[]>, key: PublicKeyHex, thing: Thing): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [thing]);
  else list.push(thing);
}
