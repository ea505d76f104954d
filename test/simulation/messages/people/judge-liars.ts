// What must hold in the end of a schedule in which some lied: what those get is bounded, strangers learn nothing, and of who is blocked nothing
// is shown. What honest people wrote to each other is judged as in every schedule.
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { MailNetwork } from "../network/mail-network.ts";
import { type SentContent, tooOften } from "../oracles/bounds-oracle.ts";
import type { HostileContact } from "./hostile-contact.ts";
import { isLiar, LIARS, type Relations } from "./liars.ts";

/** A content that left for one who lies. */
export interface SentForLiar extends SentContent {
  readonly from: string;
  readonly to: string;
}

/** A schedule that is over. */
export interface LiedTo {
  readonly devices: readonly SimulatedDevice[];
  readonly liars: readonly HostileContact[];
  /** What left for those who lie, in its order. */
  readonly sent: readonly SentForLiar[];
  readonly relations: Relations;
  readonly days: number;
  readonly jumps: number;
  /** Devices that were put back or copied: they count days again. */
  readonly forgetful: ReadonlySet<string>;
  /** Envelopes that a relay laid into mailboxes again, or that came twice. */
  readonly repeated: number;
}

/** @throws Error that says what does not hold. */
export function judgeLiars({ devices, liars, sent, relations, days, jumps, forgetful, repeated }: LiedTo): void {
  for (const liar of liars) {
    for (const device of devices) {
      const toLiar = sent.filter(({ from, to }) => from === device.name && to === liar.name);
      const renewed = forgetful.has(device.name) ? [] : (device.renewedFor.get(liar.name) ?? []);
      const came = (liar.sentTo.get(device.name) ?? 0) + repeated;
      const wrong = tooOften({ device: device.name, sent: toLiar, days, jumps, renewed, came, isAsking: liar.isAsking });
      if (wrong !== undefined) throw new Error(wrong);
      if (!forgetful.has(device.name)) judgeLacked(device, liar.name);
    }
  }
  judgeShown(devices, relations);
}

/** All is sent again once a counted day at most. */
function judgeLacked({ name, lackedBy }: SimulatedDevice, liar: string): void {
  const lacked = lackedBy.get(liar) ?? [];
  const twice = lacked.find((day, at) => lacked.indexOf(day) !== at);
  if (twice !== undefined) throw new Error(`${name} sent all again to ${liar} twice as ${twice}`);
}

/** Of a blocked person nothing is shown that was read since, and nothing of theirs stands under the name of another one. */
function judgeShown(devices: readonly SimulatedDevice[], relations: Relations): void {
  for (const { name, texts } of devices)
    for (const [text, { from, readWorldMs }] of texts) {
      if (from === undefined || !isLiar(from)) continue;
      if (!text.startsWith(`${from} `)) throw new Error(`${name} shows ${text} as if another one had written it`);
      if (relations.of(name, from, readWorldMs) === "blocked") throw new Error(`${name} shows ${text} of who is blocked`);
    }
}

/** What may leave for those who lie: nothing for a stranger to whom no one has written, and nothing for who is blocked. */
export function wronglySent({ from, to }: MailNetwork["recorded"][number], relations: Relations, nowMs: number): string | undefined {
  if (!LIARS.includes(to) || isLiar(from)) return undefined;
  const relation = relations.of(from, to, nowMs);
  if (relation === "known") return undefined;
  return relation === "blocked" ? `${from} writes to ${to}, who is blocked` : `${from} answers ${to}, a stranger`;
}
