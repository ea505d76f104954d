// Who of those that write to honest people lies, and who of them is known: a contact is from the beginning, a stranger may be accepted and
// blocked. Blocking holds for all devices of a person from one moment on, as what own devices say to each other is not what is looked at here.
import { amendMessage } from "#shared/messenger/model/amend-message.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { createRandom } from "#test/support/host/random.ts";
import { personOf } from "../device/simulated-boxes.ts";

const STREAM = 0x11a5;
const DAY_MS = 86_400_000;

/** Devices of a contact and of a stranger, both by programs that lie. */
export const CONTACT = "eve-1";
export const STRANGER = "sam-1";
export const LIARS: readonly string[] = [CONTACT, STRANGER];

/** Some message. */
const MESSAGE = { id: "00".repeat(16), at: 0, body: { kind: "text", text: "" } } as unknown as MessageRecord;

/** What a person is to another one. */
export type Relation = "known" | "stranger" | "blocked";

/** True for a device that lies. */
export function isLiar(device: string): boolean {
  return LIARS.includes(device);
}

/** True where a message of this author goes as that one takes it back, by the rule of real devices. */
export function mayTakeBack(author: string, from: string): boolean {
  return amendMessage(MESSAGE, author, { from, at: 0, body: { kind: "delete", id: MESSAGE.id } }) !== undefined;
}

/** Who accepts and blocks whom, and when. */
export class Relations {
  readonly #changes = new Map<string, { readonly acceptedMs: number; readonly blockedMs: number }>();

  constructor(
    seed: number,
    { people, startMs, days }: { readonly people: readonly string[]; readonly startMs: number; readonly days: number },
  ) {
    const random = createRandom(seed ^ STREAM);
    for (const person of people) {
      const acceptedMs = random.chance(0.6) ? startMs + random.next() * days * DAY_MS : Number.POSITIVE_INFINITY;
      const blockedMs = random.chance(0.5) ? startMs + random.next() * days * DAY_MS : Number.POSITIVE_INFINITY;
      this.#changes.set(person, { acceptedMs, blockedMs });
    }
  }

  /** What the person of a device is to that of another one. */
  of(own: string, device: string, worldMs: number): Relation {
    if (device !== STRANGER) return "known";
    const { acceptedMs, blockedMs } = this.#changes.get(personOf(own)) ?? { acceptedMs: 0, blockedMs: 0 };
    if (worldMs >= blockedMs) return "blocked";
    return worldMs >= acceptedMs ? "known" : "stranger";
  }
}
