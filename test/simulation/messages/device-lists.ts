// Lists of devices as each device sees them: what the chain lists, some days later for some people. A device is linked during the schedule,
// and another one unlinked.
import { createRandom, type Random } from "#test/support/host/random.ts";
import { personOf } from "./simulated-boxes.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STREAM = 0x11575;
const MOST_LAG_DAYS = 6;
/** As of real ones: mail of a device that is not listed yet waits so long, and of one that is not listed any more counts so long. */
const ASIDE_MS = HOUR_MS;
const LATE_MS = DAY_MS;

/** What becomes of mail by the list of its author. */
export type Admission = "taken" | "aside" | "dropped";

export class DeviceLists {
  readonly #random: Random;
  readonly #lagsMs = new Map<string, number>();
  /** When envelopes of devices that are not listed were seen first, by device and envelope. */
  readonly #seen = new Map<string, number>();
  readonly linked: { readonly device: string; readonly atMs: number };
  readonly unlinked: { readonly device: string; readonly atMs: number };
  /** Envelopes that waited, and that were dropped, for want of a listed author. */
  aside = 0;
  dropped = 0;
  /** Everyone sees what the chain lists. */
  isHonest = false;

  constructor(
    seed: number,
    { startMs, days, devices }: { readonly startMs: number; readonly days: number; readonly devices: readonly string[] },
  ) {
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

  /** What a device makes of mail. `writtenMs`: as its author's clock says. */
  admit(viewer: string, mail: { readonly from: string; readonly id: string; readonly writtenMs: number }, worldMs: number): Admission {
    if (this.lists(viewer, mail.from, worldMs)) return "taken";
    const learnedMs = this.learnedMs(viewer, mail.from);
    const isOnItsWay = learnedMs !== undefined && mail.writtenMs <= learnedMs && worldMs <= learnedMs + LATE_MS;
    if (isOnItsWay) return "taken";
    const name = `${viewer} ${mail.id}`;
    const sinceMs = this.#seen.get(name) ?? worldMs;
    this.#seen.set(name, sinceMs);
    if (worldMs - sinceMs < ASIDE_MS) {
      this.aside += 1;
      return "aside";
    }
    this.#seen.delete(name);
    this.dropped += 1;
    return "dropped";
  }

  #lagMs(viewer: string, device: string): number {
    return this.isHonest ? 0 : (this.#lagsMs.get(`${viewer} ${personOf(device)}`) ?? 0);
  }
}
