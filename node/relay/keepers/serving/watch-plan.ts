// Who makes room for what a node asks to watch: found before anything is dropped, so that a request is met whole, or takes nothing from anyone.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import type { WatchRoom } from "./watch-room.ts";
import type { WatchRows } from "./watch-rows.ts";
import { losingParty, type Share, sharesOf } from "./watch-shares.ts";

/** One step of a plan, in the order in which they are taken. */
export type WatchStep =
  /** One row at a box that as many watch as may. */
  | { readonly does: "dropRow"; readonly row: number }
  /** The oldest rows of a node. */
  | { readonly does: "dropOldest"; readonly node: number; readonly count: number; readonly isProven: boolean }
  | { readonly does: "add"; readonly boxes: readonly X25519KeyHex[]; readonly isProven: boolean };

/** A node that asks, by the number of its rows. */
export interface ComingNode {
  readonly number: number;
  readonly party: string;
}

export interface WatchPlannerDependencies {
  readonly rows: Pick<WatchRows, "ofBox" | "ownerOf" | "isProven" | "countOf">;
  readonly room: WatchRoom;
  readonly limits: Pick<KeeperLimits, "watcherCost" | "watchersOfBox">;
  /** The party of a node that watches; undefined where nodes have none, and no one makes room. */
  readonly partyOf: ((node: number) => string) | undefined;
}

/** Plans. The room shows what a plan leaves until its steps are taken. */
export class WatchPlanner {
  readonly #dependencies: WatchPlannerDependencies;

  constructor(dependencies: WatchPlannerDependencies) {
    this.#dependencies = dependencies;
  }

  /** What a node counts as, by its watches: as some more of the kind of the best of them. */
  shareOf({ unproven, proven }: Share): Share {
    const { watcherCost } = this.#dependencies.limits;
    const isProven = proven > 0;
    return {
      unproven: unproven + (isProven || unproven === 0 ? 0 : watcherCost),
      proven: proven + (isProven ? watcherCost : 0),
    };
  }

  /** The steps to boxes that a node does not watch yet; undefined where there is no room for all of them: then nothing has changed. */
  plan(coming: ComingNode, boxes: Readonly<Record<keyof Share, readonly X25519KeyHex[]>>): readonly WatchStep[] | undefined {
    const draft = new Draft(this.#dependencies.rows, (node, share) => this.#setRoom(node, share, coming));
    const kinds = (["proven", "unproven"] as const).filter((kind) => boxes[kind].length > 0);
    // Rows at boxes first: what is dropped or added for want of room has no part in these.
    const hasRoom =
      kinds.every((kind) => boxes[kind].every((box) => this.#makeRoomAtBox(box, { coming, kind }, draft))) &&
      kinds.every((kind) => this.#add(boxes[kind], { coming, kind }, draft));
    if (hasRoom) return draft.steps;
    draft.takeBack();
    return undefined;
  }

  #setRoom(node: number, share: Share, coming: ComingNode): void {
    const party = node === coming.number ? coming.party : (this.#dependencies.partyOf?.(node) ?? "");
    this.#dependencies.room.set(party, node, this.shareOf(share));
  }

  /** Among the watches of one box: who has it watched by many nodes keeps no other one out. */
  #makeRoomAtBox(box: X25519KeyHex, { coming, kind }: Wanted, draft: Draft): boolean {
    const { rows, limits, partyOf } = this.#dependencies;
    const all = rows.ofBox(box);
    if (all.length < limits.watchersOfBox) return true;
    if (partyOf === undefined) return false;
    const watches = all.map((row) => ({ row, party: partyOf(rows.ownerOf(row)), isProven: rows.isProven(row) }));
    const losing = losingParty(sharesOf(watches), coming.party, 0, kind === "proven");
    const oldest = losing && watches.findLast((each) => each.party === losing.who && each.isProven === losing.isProven);
    if (oldest === undefined) return false;
    draft.take({ does: "dropRow", row: oldest.row }, rows.ownerOf(oldest.row), oldest.isProven ? "proven" : "unproven", -1);
    return true;
  }

  #add(boxes: readonly X25519KeyHex[], { coming, kind }: Wanted, draft: Draft): boolean {
    const { room, limits, partyOf } = this.#dependencies;
    const isProven = kind === "proven";
    for (;;) {
      const own = draft.countOf(coming.number);
      // Who came with other boxes may have lost all of them for these.
      const added = boxes.length + (own.unproven + own.proven > 0 ? 0 : limits.watcherCost);
      const missing = room.missing(added);
      if (missing <= 0) break;
      // Without parties no one makes room.
      const losing = partyOf && room.losing({ party: coming.party, added, isProven });
      if (losing === undefined) return false;
      const lost = losing.isProven ? "proven" : "unproven";
      const count = Math.min(missing, losing.most, draft.countOf(losing.node)[lost]);
      draft.take({ does: "dropOldest", node: losing.node, count, isProven: losing.isProven }, losing.node, lost, -count);
    }
    draft.take({ does: "add", boxes, isProven }, coming.number, kind, boxes.length);
    return true;
  }
}

/** Steps, and what they leave of each node. */
class Draft {
  readonly steps: WatchStep[] = [];
  readonly #rows: Pick<WatchRows, "countOf">;
  readonly #onCount: (node: number, share: Share) => void;
  readonly #counts = new Map<number, Share>();

  constructor(rows: Pick<WatchRows, "countOf">, onCount: (node: number, share: Share) => void) {
    this.#rows = rows;
    this.#onCount = onCount;
  }

  countOf(node: number): Share {
    return this.#counts.get(node) ?? { ...this.#rows.countOf(node) };
  }

  take(step: WatchStep, node: number, kind: keyof Share, by: number): void {
    this.steps.push(step);
    const count = this.countOf(node);
    count[kind] += by;
    this.#counts.set(node, count);
    this.#onCount(node, count);
  }

  takeBack(): void {
    for (const node of this.#counts.keys()) this.#onCount(node, this.#rows.countOf(node));
  }
}

interface Wanted {
  readonly coming: ComingNode;
  readonly kind: keyof Share;
}
