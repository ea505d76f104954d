// Lists of devices as each device sees them: what the chain lists, some days later for some people. A device is linked during the schedule,
// and another one unlinked.
import { createRandom, type Random } from "#test/support/host/random.ts";
import { personOf } from "../device/simulated-boxes.ts";

const DAY_MS = 86_400_000;
const STREAM = 0x11575;
const MOST_LAG_DAYS = 6;
/** As of real ones: what a device wrote before it was unlinked counts when it comes so long after that was learned. */
const LATE_MS = DAY_MS;

export class DeviceLists {
  readonly #random: Random;
  readonly #lagsMs = new Map<string, number>();
  readonly linked: { readonly device: string; readonly atMs: number };
  readonly unlinked: { readonly device: string; readonly atMs: number };
  /** Envelopes that waited on a disk, that waited in their mailbox as there was no room, and that had waited in vain. */
  aside = 0;
  full = 0;
  dropped = 0;
  /** Mail of devices that are not listed is kept. */
  readonly keepsMail: boolean;
  /** Everyone sees what the chain lists. */
  isHonest = false;

  constructor(
    seed: number,
    {
      startMs,
      days,
      devices,
      keepsMail,
    }: { readonly startMs: number; readonly days: number; readonly devices: readonly string[]; readonly keepsMail: boolean },
  ) {
    this.keepsMail = keepsMail;
    this.#random = createRandom(seed ^ STREAM);
    const [, linked = "", , unlinked = ""] = devices;
    this.linked = { device: linked, atMs: startMs + this.#random.between(1, 6) * DAY_MS };
    this.unlinked = { device: unlinked, atMs: startMs + Math.floor(days * (0.4 + this.#random.next() / 3)) * DAY_MS };
    for (const viewer of devices)
      for (const person of new Set(devices.map(personOf)))
        this.#lagsMs.set(`${viewer} ${person}`, this.#random.chance(0.5) ? this.#random.next() * MOST_LAG_DAYS * DAY_MS : 0);
  }

  /** The device has been linked. */
  isThere(device: string, worldMs: number): boolean {
    return device !== this.linked.device || worldMs >= this.linked.atMs;
  }

  /** True for a device that another one finds in the list of its person. */
  lists(viewer: string, device: string, worldMs: number): boolean {
    const seenMs = worldMs - this.#lagMs(viewer, device);
    if (device === this.linked.device && seenMs < this.linked.atMs) return false;
    return device !== this.unlinked.device || seenMs < this.unlinked.atMs;
  }

  /** When another device learns that one was unlinked, by the time of the world; undefined for all that are listed for good. */
  learnedMs(viewer: string, device: string): number | undefined {
    return device === this.unlinked.device ? this.unlinked.atMs + this.#lagMs(viewer, device) : undefined;
  }

  /** True for a device that was unlinked so long ago that nothing of it counts any more. */
  isGoneForGood(viewer: string, device: string, worldMs: number): boolean {
    const learnedMs = this.learnedMs(viewer, device);
    return learnedMs !== undefined && worldMs > learnedMs + LATE_MS;
  }

  /**
   * True for what a listed device wrote, or one that was listed then and is no more.
   * @param mail.writtenMs as its author's clock says
   * @param mail.cameMs by the time of the world
   */
  isFromListed(
    viewer: string,
    { from, writtenMs, cameMs }: { readonly from: string; readonly writtenMs: number; readonly cameMs: number },
    worldMs: number,
  ): boolean {
    if (this.lists(viewer, from, worldMs)) return true;
    const learnedMs = this.learnedMs(viewer, from);
    return learnedMs !== undefined && writtenMs <= learnedMs && cameMs <= learnedMs + LATE_MS;
  }

  #lagMs(viewer: string, device: string): number {
    return this.isHonest ? 0 : (this.#lagsMs.get(`${viewer} ${personOf(device)}`) ?? 0);
  }
}
