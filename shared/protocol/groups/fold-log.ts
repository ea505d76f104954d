// What the entries of a log make of a group. Pure: the same entries give the same group, in whichever order they came. An entry holds if
// its author had the right to it in its own past and no entry beside it took that right, so who was removed cannot write history.
// Rights go down in steps that never turn back: the owner's come from `create` and the chain, the admins' from entries of the owner alone,
// and what happens to members gives and takes no rights. So what holds is decided step by step, without circles.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { BaseLink, BaseState, Status } from "./base-state.ts";
import { compareEntries, type EntryNode, isConcurrent, type LogItem, latestOf, nodesOf } from "./entry-graph.ts";
import { MAX_BASES } from "./group-bounds.ts";
import { InviteLinks } from "./invite-links.ts";
import { type EntryHash, type GroupChange, MAX_PREVIOUS_ENTRIES } from "./log-entry.ts";
import { decidedBy, type KnownMember, peopleOfBase, saysOfIn, type Touch } from "./membership.ts";
import { OwnerTerms, type OwnerTransfer, type PendingOwner } from "./owner-terms.ts";

/** Membership of one person, and the entry that decided it. */
export interface FoldedMember {
  readonly status: Status;
  readonly n: number;
  /** Milliseconds since 1970 by the clock of the author of that entry. */
  readonly at: number;
  readonly hash: EntryHash;
}

/** What an entry that holds did. */
export interface FoldedEvent {
  readonly kind:
    | "created"
    | "added"
    | "removed"
    | "left"
    | "named"
    | "pictured"
    | "unpictured"
    | "adminNamed"
    | "adminEnded"
    | "ownerNamed"
    /** Came in by an invite link; or did not, as that did not hold. */
    | "joined"
    | "unadmitted"
    | "linkMade"
    | "linkWithdrawn"
    | "forked"
    | "moved"
    | "void";
  readonly hash: EntryHash;
  readonly at: number;
  /** Whom it happened to; of a name, a picture, an invite link and of what does not count its author. */
  readonly person: PublicKeyHex;
  /** The new name, else "". */
  readonly name: string;
}

/** A group as its log says. */
export interface FoldedGroup {
  readonly owner: PublicKeyHex;
  /** False once the owner has left: then no one names admins. */
  readonly hasOwner: boolean;
  /** Whom the owner makes the next one, as soon as the chain has it. */
  readonly pending: PendingOwner | undefined;
  /** Members who may change the group besides the owner, ascending. */
  readonly admins: readonly PublicKeyHex[];
  readonly name: { readonly text: string; readonly n: number; readonly at: number };
  /** Hex of SHA-256 of its picture; "" for none. */
  readonly picture: string;
  readonly people: Readonly<Record<PublicKeyHex, FoldedMember>>;
  /** Invite links that let people in, but for those that are over by the clock; by key, ascending. */
  readonly links: readonly BaseLink[];
  /** Entries that the next one follows: from them all that decided something is known. Ascending, at least one. */
  readonly heads: readonly EntryHash[];
  /** In the order of the entries. */
  readonly events: readonly FoldedEvent[];
}

/** Operations that change nothing by a right. */
const POWERLESS: readonly GroupChange["op"][] = ["leave", "base", "admit", "unknown"];

interface Right {
  readonly node: EntryNode;
  /** False where it takes the right. */
  readonly isGrant: boolean;
}

/** A base that replaces what is before it. */
export interface LogRoot {
  readonly hash: EntryHash;
  readonly state: BaseState;
}

/** A folded log with what may be asked of it. */
export class LogFold {
  readonly nodes: readonly EntryNode[];
  readonly #create: EntryNode;
  readonly #all: bigint;
  /** Who owned it. */
  readonly terms: OwnerTerms;
  readonly #standing: readonly EntryNode[];
  /** Entries of owners that hold. */
  #ofOwner: readonly EntryNode[] = [];
  /** Bases among them, in their order, the root too. */
  #bases: readonly EntryNode[] = [];
  /** Those of them that name the admins, and a base that does. */
  #lists: readonly { readonly node: EntryNode; readonly people: readonly PublicKeyHex[] }[] = [];
  /** Bits of what they know. */
  #knownToOwner = 0n;
  readonly #rights = new Map<PublicKeyHex, Right[]>();
  readonly #touches = new Map<PublicKeyHex, Touch[]>();
  readonly #names: { readonly node: EntryNode; readonly text: string; readonly n: number; readonly at: number }[] = [];
  readonly #root: { readonly node: EntryNode; readonly state: BaseState } | undefined;
  readonly #pictures: { readonly node: EntryNode; readonly hash: string }[] = [];
  readonly #events: FoldedEvent[] = [];
  readonly #carried = new Map<EntryNode, ReadonlySet<PublicKeyHex>>();
  #found: { links?: InviteLinks; group?: FoldedGroup; hasTouches?: true } = {};

  /**
   * @param items entries that begin with a `create`, each one's predecessors among them
   * @param transfers how the chain says that owners passed it on, in its order
   * @param root the base that the entries begin with, behind those that stayed
   * @param isBased true for the entries that a base knows: as an entry of the owner it is built upon all of them
   * @throws TypeError without a `create`
   */
  constructor(items: readonly LogItem[], transfers: readonly OwnerTransfer[] = [], root?: LogRoot, isBased = false) {
    this.nodes = nodesOf(items, root?.hash);
    const rootNode = root && this.nodes.find(({ hash }) => hash === root.hash);
    this.#root = root && rootNode && { node: rootNode, state: root.state };
    const [create] = this.nodes;
    if (create?.entry.change.op !== "create") throw new TypeError("A log begins with the creation of its group");
    this.#create = create;
    this.#all = (1n << BigInt(this.nodes.length)) - 1n;
    this.terms = new OwnerTerms(this.nodes, create, transfers);
    this.#standing = this.nodes.filter((node) => this.terms.stands(node));
    this.#collectRights();
    if (isBased) this.#knownToOwner = this.#all;
  }

  /**
   * The group. It is found when it is asked for first, as who is in it takes most of the work: a log that grows entry by entry is folded again
   * before that, and whether a base may replace what is before it follows from rights alone.
   */
  get group(): FoldedGroup {
    this.#collectTouches();
    this.#found.group ??= this.#result();
    return this.#found.group;
  }

  get #links(): InviteLinks {
    this.#found.links ??= this.#foundLinks();
    return this.#found.links;
  }

  /** True when a person had the right to change members in the past of an entry, or (without one) has it now. */
  hasRight(person: PublicKeyHex, past: bigint = this.#all): boolean {
    if (person === this.terms.ownerIn(past)) return true;
    const latest = latestOf(this.#rights.get(person) ?? [], past);
    return latest.length > 0 && latest.every(({ isGrant }) => isGrant);
  }

  /** True when a listed device wrote the `create`, or one of the owner's knows it. */
  get isBegunByListed(): boolean {
    return this.#create.isListed || this.terms.voucherOf(this.#create) !== undefined;
  }

  /** Entries by which owners did something, each within their time. */
  get ofOwners(): ReadonlySet<EntryHash> {
    return new Set(this.#ofOwner.map(({ hash }) => hash));
  }

  /** True when a person was in the group at an entry, or came in by what that does not know; without one, when they ever were. */
  wasInSince(person: PublicKeyHex, since: EntryNode | undefined, within: bigint = this.#all): boolean {
    if (since === undefined) return true;
    this.#collectTouches();
    const known = since.past | since.bit;
    const cameIn = ({ node, status }: Touch): boolean => status === "in" && (within & ~known & node.bit) !== 0n;
    return this.#statusIn(person, known)?.status === "in" || (this.#touches.get(person) ?? []).some(cameIn);
  }

  /** Who has the right besides the owner, whether in the group or not, ascending. */
  get rightful(): readonly PublicKeyHex[] {
    return [...this.#rights.keys()].filter((person) => person !== this.terms.owner && this.hasRight(person)).sort();
  }

  /** Entries without which what was decided would not be: those that decided it, all that these know, and what vouches for them. */
  get needed(): ReadonlySet<EntryHash> {
    this.#collectTouches();
    let bits = this.#anchors().reduce((sum, { node }) => sum | node.bit | node.past, 0n);
    // Vouchers come after what they vouch for, so one round finds those of vouchers too.
    for (const node of this.nodes) {
      if ((bits & node.bit) === 0n || node.isListed) continue;
      const voucher = this.terms.voucherOf(node);
      if (voucher !== undefined) bits |= voucher.bit | voucher.past;
    }
    return new Set(this.nodes.filter(({ bit }) => (bits & bit) !== 0n).map(({ hash }) => hash));
  }

  /** Only the owner's entries give rights; removal by the owner and one's own leaving take them. */
  #collectRights(): void {
    this.#ofOwner = this.#standing.filter((node) => this.terms.holds(node));
    this.#bases = this.#ofOwner.filter(({ entry }) => entry.change.op === "base");
    this.#knownToOwner = this.#ofOwner.reduce((bits, { past }) => bits | past, 0n);
    const lists = this.#ofOwner.filter(({ entry }) => entry.change.op === "admins");
    this.#lists = lists.map((node) => ({ node, people: peopleOf(node.entry.change) }));
    if (this.#root !== undefined) {
      const { node, state } = this.#root;
      this.#lists = [{ node, people: state.admins }, ...this.#lists];
      for (const person of state.admins) pushTo(this.#rights, person, { node, isGrant: true });
    }
    const named = this.#namedPeople();
    for (const node of this.#standing.filter((other) => !this.#isReplaced(other)))
      for (const [person, isGrant] of this.#rightsChangedBy(node, named)) pushTo(this.#rights, person, { node, isGrant });
  }

  /** Whom owners ever named admins. */
  #namedPeople(): readonly PublicKeyHex[] {
    const lists = this.#standing.filter((node) => node.entry.change.op === "admins" && this.terms.isWithinTerm(node));
    const named = lists.flatMap(({ entry }) => peopleOf(entry.change).filter((person) => person !== entry.author));
    return [...new Set([...(this.#root?.state.admins ?? []), ...named])];
  }

  #rightsChangedBy(node: EntryNode, named: readonly PublicKeyHex[]): readonly (readonly [PublicKeyHex, boolean])[] {
    const { author, change } = node.entry;
    if (change.op === "leave") return named.filter((person) => person === author).map((person) => [person, false]);
    // Who has passed a group on is a member like others, whatever they were before.
    if (this.terms.isTransfer(node)) return named.filter((person) => person === author).map((person) => [person, false]);
    if (!this.terms.holds(node)) return [];
    if (change.op === "admins") return named.map((person) => [person, change.people.includes(person)]);
    return change.op === "remove" ? named.filter((person) => change.people.includes(person)).map((person) => [person, false]) : [];
  }

  /** Links depend on rights alone, so which of them hold is known before who is in the group. */
  #foundLinks(): InviteLinks {
    const isAboutLinks = ({ entry: { change } }: EntryNode): boolean => change.op === "invite" || change.op === "withdraw";
    const isLoss = ({ entry: { author, change } }: EntryNode, person: PublicKeyHex): boolean => author !== person || change.op === "leave";
    return new InviteLinks({
      nodes: this.nodes,
      rightful: this.#standing.filter((node) => isAboutLinks(node) && !this.#isReplaced(node) && this.#isRightful(node)),
      bases: this.#bases,
      root: this.#root,
      lossesOf: (person): readonly EntryNode[] => [
        // An owner who was an admin names others, not themself.
        ...(this.#rights.get(person) ?? []).flatMap(({ isGrant, node }) => (!isGrant && isLoss(node, person) ? [node] : [])),
        ...this.#standing.filter(
          (node) => node.entry.author === person && (node.entry.change.op === "leave" || this.terms.isTransfer(node)),
        ),
      ],
      isBuiltUpon: (node): boolean => this.#isBuiltUpon(node),
    });
  }

  #isRightful(node: EntryNode): boolean {
    const { author, change } = node.entry;
    if (change.op === "create") return node === this.#create;
    if (POWERLESS.includes(change.op)) return false;
    if (change.op === "owner") return this.terms.isTransfer(node);
    if (author === this.terms.ownerIn(node.past)) return this.terms.holds(node);
    return change.op !== "admins" && this.hasRight(author, node.past) && !this.#isTaken(node);
  }

  /** An entry beside it took the right. One's own leaving does not take what the owner has built upon: it could be written into the past. */
  #isTaken(node: EntryNode): boolean {
    const { author } = node.entry;
    const isBuiltUpon = this.#isBuiltUpon(node);
    return (this.#rights.get(author) ?? []).some(
      ({ isGrant, node: other }) => !isGrant && isConcurrent(other, node) && !(isBuiltUpon && other.entry.author === author),
    );
  }

  #isBuiltUpon({ bit }: EntryNode): boolean {
    return (this.#knownToOwner & bit) !== 0n;
  }

  /** What entries that hold did to people; once. */
  #collectTouches(): void {
    if (this.#found.hasTouches) return;
    this.#found.hasTouches = true;
    const standing = new Set(this.#standing);
    if (this.#root !== undefined) this.#begin(this.#root);
    for (const node of this.nodes.filter((other) => !this.#isReplaced(other))) {
      const { author, change } = node.entry;
      if (standing.has(node) && change.op === "leave") {
        if (this.#statusIn(author, node.past)?.status === "in") this.#touch(author, node, "left");
      } else if (standing.has(node) && this.#isRightful(node)) this.#applyRightful(node);
      else if (this.#isVoid(node)) this.#tell(node, "void", author);
    }
  }

  /** True for a base that is the root, and for what stayed before it: the state of the base says what they did. */
  #isReplaced({ bit }: EntryNode): boolean {
    return this.#root !== undefined && bit <= this.#root.node.bit;
  }

  /** True for an entry before a root that the chain has named since. */
  #isLateTransfer(node: EntryNode): boolean {
    const before = this.#root && this.terms.termOf(this.#root.node);
    return before !== undefined && this.#isReplaced(node) && this.terms.isTransfer(node) && (this.terms.termOf(node) ?? -1) >= before;
  }

  /** What a base says, each thing as the one entry that decided it. */
  #begin({ node, state: { people, name, picture } }: { readonly node: EntryNode; readonly state: BaseState }): void {
    for (const late of this.nodes.filter((other) => this.#isLateTransfer(other)))
      for (const person of peopleOf(late.entry.change)) this.#tell(late, "ownerNamed", person);
    for (const { key, status, ...origin } of people) pushTo(this.#touches, key, { node, status, origin });
    this.#names.push({ node, ...name });
    this.#pictures.push({ node, hash: picture });
  }

  /** What does not count is said, unless it may still count or was no change. */
  #isVoid(node: EntryNode): boolean {
    return node.entry.change.op !== "owner" && !POWERLESS.includes(node.entry.change.op) && !this.terms.isAwaited(node);
  }

  /** Whom a link does not let in is not in the group, though their admin has not lost the right to add people. */
  #applyRightful(node: EntryNode): void {
    if (this.#links.allows(node)) this.#apply(node);
    else for (const person of peopleOf(node.entry.change)) this.#tell(node, "unadmitted", person);
  }

  #apply(node: EntryNode): void {
    const { author, change } = node.entry;
    switch (change.op) {
      case "create":
        for (const person of [author, ...change.people]) this.#touch(person, node, "in");
        this.#names.push({ node, text: change.name, n: node.entry.n, at: change.at });
        return;
      case "add":
        for (const person of change.people.filter((other) => this.#mayComeIn(node, other))) {
          this.#touch(person, node, "in");
          this.#links.count(node, person);
        }
        return;
      case "remove":
        for (const person of change.people.filter((other) => this.#mayRemove(node, other))) this.#touch(person, node, "removed");
        return;
      case "name":
        this.#names.push({ node, text: change.name, n: node.entry.n, at: change.at });
        this.#tell(node, "named", author, change.name);
        return;
      case "picture":
        this.#pictures.push({ node, hash: change.picture });
        this.#tell(node, change.picture === "" ? "unpictured" : "pictured", author);
        return;
      case "admins":
        this.#tellAdmins(node, change.people);
        return;
      case "owner":
        for (const person of change.people) this.#makeOwner(node, person);
        return;
      case "leave":
      case "base":
      case "unknown":
      case "admit":
        return;
      case "invite":
        this.#tell(node, "linkMade", author);
        return;
      case "withdraw":
        this.#tell(node, "linkWithdrawn", author);
        return;
      default:
        change satisfies never;
    }
  }

  /** Who was not in the group any more, as the entry knows it, is in it again. */
  #makeOwner(node: EntryNode, person: PublicKeyHex): void {
    if (this.#statusIn(person, node.past)?.status !== "in") this.#touch(person, node, "in");
    this.#tell(node, "ownerNamed", person);
  }

  #tellAdmins(node: EntryNode, people: readonly PublicKeyHex[]): void {
    // Who is on the latest list or on this one: no one else was an admin or becomes one.
    const [latest] = latestOf(this.#lists, node.past);
    const concerned = new Set([...people, ...(latest?.people ?? [])]);
    for (const person of this.#rights.keys()) {
      if (!concerned.has(person) || person === node.entry.author) continue;
      const was = this.hasRight(person, node.past);
      if (was !== people.includes(person)) this.#tell(node, was ? "adminEnded" : "adminNamed", person);
    }
  }

  /**
   * Who was removed comes back by no link, as far as the last base that the entry knows has them among its people: a device whose log begins
   * there knows no more. Of who never was in the group no base says that they were.
   */
  #mayComeIn(node: EntryNode, person: PublicKeyHex): boolean {
    if (this.#links.linkOf(node) === undefined) return true;
    const base = this.#bases.findLast(({ bit }) => (node.past & bit) !== 0n);
    const settled = base === undefined || this.#peopleAt(base).has(person) ? 0n : base.past | base.bit;
    const known = (this.#touches.get(person) ?? []).filter(({ node: { bit } }) => (node.past & ~settled & bit) !== 0n);
    if (decidedBy(latestOf(known, node.past))?.status !== "removed") return true;
    return !known.some(saysOfIn);
  }

  /** Those of whom the state of a base says whether they are in the group, as its owner's device made it. */
  #peopleAt(base: EntryNode): ReadonlySet<PublicKeyHex> {
    const people = (): readonly { readonly key: PublicKeyHex }[] =>
      base === this.#root?.node ? this.#root.state.people : peopleOfBase(this.#membersAt(base));
    const found = this.#carried.get(base) ?? new Set(people().map(({ key }) => key));
    this.#carried.set(base, found);
    return found;
  }

  /** Everyone who ever was in the group, by what a base knows. */
  #membersAt({ past }: EntryNode): readonly KnownMember[] {
    const before = this.#bases.filter(({ bit }) => (past & bit) !== 0n);
    const last = before.slice(0, MAX_BASES).at(-1);
    return [...this.#touches].flatMap(([key, touches]): readonly KnownMember[] => {
      const decided = this.#statusIn(key, past);
      if (decided === undefined || !touches.some((touch) => (past & touch.node.bit) !== 0n && saysOfIn(touch))) return [];
      const { n } = decided.origin ?? decided.node.entry;
      return [{ key, status: decided.status, n, isSinceLast: this.wasInSince(key, last, past) }];
    });
  }

  /** The owner is removed by no one, an admin by the owner alone. */
  #mayRemove(node: EntryNode, person: PublicKeyHex): boolean {
    if (this.terms.isSafeFrom(person, node)) return false;
    if (node.entry.author === this.terms.ownerIn(node.past)) return true;
    const isNamedBeside = (this.#rights.get(person) ?? []).some(({ isGrant, node: other }) => isGrant && isConcurrent(other, node));
    return !isNamedBeside && !this.hasRight(person, node.past);
  }

  #touch(person: PublicKeyHex, node: EntryNode, status: Status): void {
    pushTo(this.#touches, person, { node, status });
    const { change } = node.entry;
    const arrival = this.#links.linkOf(node) === undefined ? "added" : "joined";
    if (change.op !== "create") this.#tell(node, status === "in" ? arrival : status, person);
    else if (person === node.entry.author) this.#tell(node, "created", person);
  }

  #tell({ hash, entry: { change } }: EntryNode, kind: FoldedEvent["kind"], person: PublicKeyHex, name = ""): void {
    this.#events.push({ kind, hash, at: change.op === "unknown" ? 0 : change.at, person, name });
  }

  #statusIn(person: PublicKeyHex, within: bigint): Touch | undefined {
    return decidedBy(latestOf(this.#touches.get(person) ?? [], within));
  }

  #result(): FoldedGroup {
    const people: Record<PublicKeyHex, FoldedMember> = {};
    for (const [person, touches] of this.#touches) {
      const decided = this.#statusIn(person, this.#all);
      if (decided === undefined || !touches.some(saysOfIn)) continue;
      people[person] = { status: decided.status, ...(decided.origin ?? originOf(decided.node)) };
    }
    const isAdmin = (person: PublicKeyHex): boolean =>
      person !== this.terms.owner && this.hasRight(person) && people[person]?.status === "in";
    const admins = [...this.#rights.keys()].filter(isAdmin).sort();
    const name = this.#chosenOf(this.#names);
    const heads = latestOf(this.#anchors(), this.#all).slice(0, MAX_PREVIOUS_ENTRIES);
    return {
      owner: this.terms.owner,
      hasOwner: this.terms.ownerIn(this.#all) !== undefined && people[this.terms.owner]?.status === "in",
      pending: this.terms.pending,
      admins,
      name: { text: name?.text ?? "", n: name?.n ?? 1, at: name?.at ?? 0 },
      picture: this.#chosenOf(this.#pictures)?.hash ?? "",
      people,
      links: this.#links.living,
      heads: heads.map(({ node }) => node.hash).sort(),
      events: this.#events,
    };
  }

  /** Of several beside each other that of an owner, else that of the greater hash. */
  #chosenOf<T extends { readonly node: EntryNode }>(things: readonly T[]): T | undefined {
    const rank = (node: EntryNode): number => Number(this.terms.isWithinTerm(node));
    return [...latestOf(things, this.#all)].sort((a, b) => rank(b.node) - rank(a.node) || (a.node.hash < b.node.hash ? 1 : -1))[0];
  }

  /** Entries that decided something, and all of the owner, in their order. Who leaves many times at once takes no more room than one who leaves once. */
  #anchors(): readonly { readonly node: EntryNode }[] {
    const decided = [...this.#touches.values()].flatMap((touches) => {
      const latest = latestOf(touches, this.#all);
      const leaves = latest.filter(({ node, status }) => status === "left" && !this.#isVainLeave(node));
      return [...latest.filter(({ status }) => status !== "left"), ...leaves.slice(0, 1)];
    });
    const rights = [...this.#rights.values()].flatMap((all) => {
      const latest = latestOf(all, this.#all);
      const others = latest.filter(({ node }) => !this.#isVainLeave(node));
      // It decides where nothing else takes the right: an owner may have named who is out.
      return others.length > 0 && others.every(({ isGrant }) => isGrant) ? latest : others;
    });
    const names = latestOf(this.#names, this.#all);
    const pictures = latestOf(this.#pictures, this.#all);
    const root = this.#root === undefined ? [] : [this.#root.node];
    const things = [...decided, ...rights, ...names, ...pictures].map(({ node }) => node);
    const nodes = new Set([...root, ...this.#ofOwner, ...things, ...this.#links.anchors]);
    return [...nodes].sort(compareEntries).map((node) => ({ node }));
  }

  /**
   * True for a departure of someone whom a removal has put out. Devices that know the removal do not take it, so it is no head where it came
   * before that one either: others would ask for it in vain. One that the removal knows stays as part of what that one knows.
   */
  #isVainLeave({ entry: { author, change } }: EntryNode): boolean {
    return change.op === "leave" && this.#statusIn(author, this.#all)?.status === "removed";
  }
}

function originOf({ hash, entry: { n, change } }: EntryNode): Omit<FoldedMember, "status"> {
  return { n, at: change.op === "unknown" ? 0 : change.at, hash };
}

function peopleOf(change: EntryNode["entry"]["change"]): readonly PublicKeyHex[] {
  return "people" in change ? change.people : [];
}

function pushTo<Thing>(lists: Map<PublicKeyHex, Thing[]>, person: PublicKeyHex, thing: Thing): void {
  const list = lists.get(person);
  if (list === undefined) lists.set(person, [thing]);
  else list.push(thing);
}
