// Which keepers a box has now, by the directories in force. Ranks of a slot cost a hash or more for each keeper, so they are remembered.
import { LRUCache } from "lru-cache";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { directoriesInForce, type Keeper } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { type Ranks, rankKeepers, type SlotPeriod, slotOf, slotPeriods } from "#shared/protocol/keepers/placement.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MailDirectory } from "./mail-directory.ts";

/** Keepers of a box. */
export interface BoxKeepers extends Ranks<Keeper> {
  /** Those of the period before that are none of the present one: what is left there is read, and nothing is written. */
  readonly draining: readonly Keeper[];
}

/** Slots whose ranks are remembered, of all directories and periods. */
const REMEMBERED_RANKS = 65_536;
const NO_RANKS: Ranks<Keeper> = { keeping: [], standingIn: [] };
/** Nodes of which it is remembered which slots they keep: this one, and those that compare slots with it now. */
const REMEMBERED_ROLES = 16;

/** Slots that were asked for, and whether the node keeps them. */
interface Roles {
  readonly served: readonly ReadDirectory[];
  readonly ofSlots: Map<number, boolean>;
}

function isSame(some: readonly ReadDirectory[], others: readonly ReadDirectory[]): boolean {
  return some.length === others.length && some.every((directory, at) => directory === others[at]);
}

/** Ranks by the directories of a chain. */
export class KeeperRanks {
  readonly #source: MailDirectory;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #ranks = new LRUCache<string, Ranks<Keeper>>({ max: REMEMBERED_RANKS });
  readonly #names = new WeakMap<ReadDirectory, string>();
  /** Slots of some nodes by the directories that are served: what was looked up for one box costs next to nothing for the next. */
  readonly #roles = new LRUCache<PublicKeyHex, Roles>({ max: REMEMBERED_ROLES });

  constructor(source: MailDirectory, clock: Pick<Clock, "nowMs">) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Epoch of the newest directory; 0 where there is none. */
  get epoch(): number {
    return this.#source.currentDirectory()?.epoch ?? 0;
  }

  /** The newest directory, whether it counts already or not. */
  get newest(): ReadDirectory | undefined {
    return this.#source.currentDirectory()?.directory;
  }

  /** The directory to ask by: a new one counts a while after its block. Undefined where there is none. */
  get directory(): ReadDirectory | undefined {
    return this.#inForce()[0];
  }

  /** Keepers of a box by the directory to ask by; undefined where there is none. */
  keepersOf(box: X25519KeyHex): BoxKeepers | undefined {
    const directory = this.directory;
    return directory && this.#keepersIn(directory, slotOf(box, nativeSha256));
  }

  /** Keepers of a slot by the directory to ask by, and all that have or had it by those that keepers serve; undefined where there is none. */
  keepersOfSlot(slot: number): (Ranks<Keeper> & { readonly all: readonly PublicKeyHex[] }) | undefined {
    const { directory } = this;
    if (directory === undefined) return undefined;
    const { keeping, standingIn, draining } = this.#keepersIn(directory, slot);
    const others = this.#served().flatMap((served) => {
      const ranks = this.#keepersIn(served, slot);
      return [...ranks.keeping, ...ranks.standingIn, ...ranks.draining];
    });
    const all = [...keeping, ...standingIn, ...draining, ...others].map(({ key }) => key);
    return { keeping, standingIn, all: [...new Set(all)] };
  }

  /** Changes with the keepers of any slot. */
  get version(): string {
    return [this.directory, ...this.#served()]
      .map((each) => (each === undefined ? "" : `${this.#nameOf(each)} ${each.seeds.lastDay}`))
      .join();
  }

  /** True for a keeper of the box, in any rank, by one of the directories that keepers serve. */
  isKeeper(key: PublicKeyHex, box: X25519KeyHex): boolean {
    return this.isKeeperOfSlot(key, slotOf(box, nativeSha256));
  }

  /** Likewise for a slot. */
  isKeeperOfSlot(key: PublicKeyHex, slot: number): boolean {
    const served = this.#served();
    const known = this.#roles.get(key);
    const roles = known !== undefined && isSame(known.served, served) ? known : { served, ofSlots: new Map<number, boolean>() };
    if (roles !== known) this.#roles.set(key, roles);
    const role = roles.ofSlots.get(slot);
    if (role !== undefined) return role;
    const isKeeper = served.some((directory) => {
      const { keeping, standingIn, draining } = this.#keepersIn(directory, slot);
      return [...keeping, ...standingIn, ...draining].some((keeper) => keeper.key === key);
    });
    roles.ofSlots.set(slot, isKeeper);
    return isKeeper;
  }

  /** True when it costs next to nothing to say whether a node is a keeper of the box: the ranks of its slot are remembered. */
  isRanked(box: X25519KeyHex): boolean {
    const slot = slotOf(box, nativeSha256);
    return this.#served().every((directory) => {
      const { current, draining } = slotPeriods(slot, directory.seeds.lastDay, directory.seeds);
      return [current, draining].every((period) => period === undefined || this.#ranks.has(this.#rankName(directory, period)));
    });
  }

  /** A keeper by its key, in any directory that is served. */
  find(key: PublicKeyHex): Keeper | undefined {
    for (const { keepers } of this.#served()) {
      const found = keepers.find((keeper) => keeper.key === key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inForce(): readonly ReadDirectory[] {
    const current = this.#source.currentDirectory();
    if (current === undefined) return [];
    const { directory, previous } = current;
    const epochs = directoriesInForce(directory, previous, this.#nowS());
    return [directory, previous].filter((each) => each !== undefined && epochs.includes(each.epoch)) as readonly ReadDirectory[];
  }

  /** Those in force, and the newest one, by which others whose clocks are ahead may ask already. */
  #served(): readonly ReadDirectory[] {
    const newest = this.#source.currentDirectory()?.directory;
    return newest === undefined ? [] : [...new Set([newest, ...this.#inForce()])];
  }

  #keepersIn(directory: ReadDirectory, slot: number): BoxKeepers {
    // By the day of the directory, which is the same for all, and not by a clock.
    const { current, draining } = slotPeriods(slot, directory.seeds.lastDay, directory.seeds);
    const ranks = current === undefined ? NO_RANKS : this.#ranksIn(directory, current);
    const before = draining === undefined ? NO_RANKS : this.#ranksIn(directory, draining);
    const present = new Set([...ranks.keeping, ...ranks.standingIn].map(({ key }) => key));
    return { ...ranks, draining: [...before.keeping, ...before.standingIn].filter(({ key }) => !present.has(key)) };
  }

  #ranksIn(directory: ReadDirectory, period: SlotPeriod): Ranks<Keeper> {
    const name = this.#rankName(directory, period);
    const known = this.#ranks.get(name);
    if (known !== undefined) return known;
    const ranks = rankKeepers(directory.keepers, period, { hash: nativeSha256 });
    this.#ranks.set(name, ranks);
    return ranks;
  }

  #rankName(directory: ReadDirectory, { slot, seed }: SlotPeriod): string {
    return `${this.#nameOf(directory)} ${slot} ${seed}`;
  }

  /** The same for directories that rank alike: from hour to hour few keepers change. Where a keeper is reached is asked of {@link find}. */
  #nameOf(directory: ReadDirectory): string {
    const known = this.#names.get(directory);
    if (known !== undefined) return known;
    const parts = directory.keepers.map(({ key, salt, weight, wallet, network }) => [key, salt, weight, wallet, network].join(" "));
    const name = toHex(nativeSha256(utf8(parts.join("\n"))));
    this.#names.set(directory, name);
    return name;
  }

  #nowS(): number {
    return Math.floor(this.#clock.nowMs() / 1_000);
  }
}
