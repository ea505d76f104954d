// Who owned a group, one after the other. An entry of the owner names the next one; which of several counts, and whether any does, the chain
// says: the first TRANSFER of the owner to themself that names the log. So an owner who was followed cannot prepare or date back a rival.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type EntryNode, isBefore, isConcurrent } from "./entry-graph.ts";
import { MAX_OWNER_TRANSFERS } from "./group-bounds.ts";
import type { EntryHash } from "./log-entry.ts";

/** The first TRANSFER by which an owner has passed the group on, as the chain has it. */
export interface OwnerTransfer {
  /** Who paid, and was paid. */
  readonly owner: PublicKeyHex;
  /** The entry that its memo names. */
  readonly entry: EntryHash;
  /** The chain that has it, and the height of its block: the next owner's lies in a later one. */
  readonly chainId: string;
  readonly height: number;
}

interface Term {
  readonly owner: PublicKeyHex;
  /** The `create`, or the entry that named this owner. */
  readonly begin: EntryNode;
  /** The entry that named the next owner. */
  readonly end: EntryNode | undefined;
  /** Departures of this owner within the term. */
  readonly leaves: readonly EntryNode[];
}

/** What the owner of a group has entered to pass it on. */
export interface PendingOwner {
  readonly person: PublicKeyHex;
  readonly hash: EntryHash;
  /** Milliseconds since 1970 by the owner's clock. */
  readonly at: number;
}

/** The owners of a log. */
export class OwnerTerms {
  readonly #nodes: readonly EntryNode[];
  readonly #create: EntryNode;
  #terms: readonly Term[];
  /** Entries that make someone the next owner as soon as the chain names one of them, in their order. */
  readonly #awaited: readonly { readonly node: EntryNode; readonly person: PublicKeyHex }[];
  readonly #standing = new Map<EntryNode, boolean>();
  /** The chain names an entry that is not here, or that passes nothing on: this term ends with no other one. */
  readonly isBlocked: boolean;

  /** @param nodes entries in their order, of which `create` is the first */
  constructor(nodes: readonly EntryNode[], create: EntryNode, transfers: readonly OwnerTransfer[]) {
    this.#nodes = nodes;
    this.#create = create;
    const byHash = new Map(nodes.map((node) => [node.hash, node]));
    const terms: Term[] = [this.#term(create, create.entry.author)];
    let isBlocked = false;
    for (const { owner, entry } of transfers.slice(0, MAX_OWNER_TRANSFERS)) {
      const current = terms.at(-1) as Term;
      const node = byHash.get(entry);
      const next = node && current.owner === owner ? nextOwner(node, current) : undefined;
      if (node === undefined || next === undefined) {
        isBlocked = true;
        break;
      }
      const isWithin = (leave: EntryNode): boolean => isBefore(leave, node);
      terms[terms.length - 1] = { ...current, end: node, leaves: current.leaves.filter(isWithin) };
      terms.push(this.#term(node, next));
    }
    this.#terms = terms;
    // What an entry of the chain knows is vouched for; of what came last only what stands counts.
    this.#terms = terms.map((term) => ({ ...term, leaves: term.leaves.filter((leave) => this.stands(leave)) }));
    this.isBlocked = isBlocked;
    this.#awaited = nodes.flatMap((node) => {
      const person = nextOwner(node, this.#last);
      return person !== undefined && this.stands(node) ? [{ node, person }] : [];
    });
  }

  /** True for entries of listed devices, for what the chain or one of these vouches for, and for the `create`. */
  stands(node: EntryNode): boolean {
    const known = this.#standing.get(node);
    if (known !== undefined) return known;
    const stands = node === this.#create || this.#isVouching(node) || this.voucherOf(node) !== undefined;
    this.#standing.set(node, stands);
    return stands;
  }

  /** Entries of an unlinked device stand where a listed one of their author, or of the owner, knows them: a thief has none. */
  voucherOf(node: EntryNode): EntryNode | undefined {
    const { author } = node.entry;
    return this.#nodes.find(
      (other) => isBefore(node, other) && this.#isVouching(other) && (other.entry.author === author || this.isWithinTerm(other)),
    );
  }

  /** The chain vouches for what a TRANSFER names: the master key has signed it. */
  #isVouching(node: EntryNode): boolean {
    return node.isListed || this.isTransfer(node);
  }

  /** The last owner. */
  get owner(): PublicKeyHex {
    return this.#last.owner;
  }

  /** How many times there were; 1 where it was never passed on. */
  get count(): number {
    return this.#terms.length;
  }

  /** All owners that there were. */
  get owners(): ReadonlySet<PublicKeyHex> {
    return new Set(this.#terms.map(({ owner }) => owner));
  }

  /** Entries that make someone the next owner as soon as the chain names one of them, in their order. */
  get awaited(): readonly EntryNode[] {
    return this.#awaited.map(({ node }) => node);
  }

  /** How many owners there were before the one in whose time an entry is; undefined for an entry of no owner, or of another time. */
  termOf(node: EntryNode): number | undefined {
    const term = this.#termOf(node);
    return term && this.#terms.indexOf(term);
  }

  /** True for an entry by which a term ended: the chain has it. */
  isTransfer(node: EntryNode): boolean {
    return this.#terms.some(({ end }) => end === node);
  }

  /** The owner as an entry knows it, or (of all entries) as it is now; undefined once that owner has left. */
  ownerIn(past: bigint): PublicKeyHex | undefined {
    const knows = ({ bit }: EntryNode): boolean => (past & bit) !== 0n;
    const term = this.#terms.findLast(({ begin }) => begin === this.#create || knows(begin)) as Term;
    return term.leaves.some(knows) ? undefined : term.owner;
  }

  /** True for an entry of an owner within their term: it knows its beginning, and is known by the entry that ends it. */
  isWithinTerm(node: EntryNode): boolean {
    return this.#termOf(node) !== undefined;
  }

  /** True for such an entry that does not know that this owner has left. Leaving takes nothing back: it cannot be written into the past. */
  holds(node: EntryNode): boolean {
    return this.#termOf(node)?.leaves.some((leave) => isBefore(leave, node)) === false;
  }

  /** True where a person cannot be removed by an entry: they own the group as it knows it, or were named beside it. */
  isSafeFrom(person: PublicKeyHex, node: EntryNode): boolean {
    return this.#terms.some(
      ({ owner, begin, end }) =>
        owner === person && !(end !== undefined && isBefore(end, node)) && (this.#follows(node, begin) || isConcurrent(begin, node)),
    );
  }

  /** What the last owner has entered last to pass the group on; undefined where nothing waits for the chain. */
  get pending(): PendingOwner | undefined {
    if (this.isBlocked || this.#terms.length > MAX_OWNER_TRANSFERS) return undefined;
    const last = this.#awaited.at(-1);
    return last?.node.entry.change.op === "owner"
      ? { person: last.person, hash: last.node.hash, at: last.node.entry.change.at }
      : undefined;
  }

  /** True where an entry that waits for the chain would give its author a right. */
  isAwaited(node: EntryNode): boolean {
    return this.#awaited.some((other) => other.person === node.entry.author && isBefore(other.node, node));
  }

  get #last(): Term {
    return this.#terms.at(-1) as Term;
  }

  #term(begin: EntryNode, owner: PublicKeyHex): Term {
    const isLeave = (node: EntryNode): boolean =>
      node.entry.author === owner && node.entry.change.op === "leave" && this.#follows(node, begin);
    return { owner, begin, end: undefined, leaves: this.#nodes.filter(isLeave) };
  }

  #termOf(node: EntryNode): Term | undefined {
    return this.#terms.find(
      ({ owner, begin, end }) =>
        owner === node.entry.author && this.#follows(node, begin) && (end === undefined || node === end || isBefore(node, end)),
    );
  }

  /** Everything in a log follows its `create`. */
  #follows(node: EntryNode, begin: EntryNode): boolean {
    return begin === this.#create || isBefore(begin, node);
  }
}

/** Whom an entry would make the next owner after a term; undefined where it cannot. */
function nextOwner(node: EntryNode, { owner, begin, leaves }: Term): PublicKeyHex | undefined {
  const { author, change } = node.entry;
  if (change.op !== "owner" || author !== owner || change.people[0] === owner) return undefined;
  const isWithin = begin.entry.change.op === "create" || isBefore(begin, node);
  return isWithin && !leaves.some((leave) => isBefore(leave, node)) ? change.people[0] : undefined;
}
