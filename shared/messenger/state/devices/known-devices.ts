// Which devices of a person this one has seen, and what vouches for each. A list of devices comes from a node, and no node can sign for
// the wallet: a device that no signature of the master key vouches for gets nothing and is believed nothing. Pure.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** What is known of the devices of one person. */
export interface KnownDevices {
  /** Listed, and published by a signature of the master key that was checked here. */
  readonly signed: readonly X25519KeyHex[];
  /** Listed while nothing proved any device of the person, nor disproved these: taken as they were, and shown as not checked. */
  readonly first: readonly X25519KeyHex[];
  /** Listed without a signature, or without proof beside devices that have it: left out. */
  readonly refused: readonly X25519KeyHex[];
  /** Not listed any more, and when this device learned of it; the last at the end. */
  readonly gone: readonly GoneDevice[];
  /** Listed devices whose secrets were seen in two places, or set back. */
  readonly copied?: readonly X25519KeyHex[];
  /** Changes so far. */
  readonly changes: number;
  /** When the last change was noticed, until its user has seen to it; milliseconds since 1970. */
  readonly changedAt: number | null;
}

/** A device that was unlinked. */
export interface GoneDevice {
  readonly key: X25519KeyHex;
  /** Milliseconds since 1970. */
  readonly learnedAt: number;
}

/** What vouches for a listed key; `unknown` where the node cannot say. */
export type Voucher = "signature" | "nothing" | "unknown";

/** A listed key and what vouches for it. */
export interface JudgedKey {
  readonly key: X25519KeyHex;
  readonly voucher: Voucher;
}

/** What happened to a list. */
export interface DeviceEvent {
  readonly event: "added" | "removed" | "refused" | "copied";
  readonly key: X25519KeyHex;
}

/** Devices of one person that are remembered after they were unlinked. */
const MAX_GONE = 32;

const NO_DEVICES: KnownDevices = { signed: [], first: [], refused: [], gone: [], changes: 0, changedAt: null };

/** A list that was read, and what it changes. The first one changes nothing. */
export function withList(
  known: KnownDevices | undefined,
  listed: readonly JudgedKey[],
  nowMs: number,
): { readonly known: KnownDevices; readonly events: readonly DeviceEvent[] } {
  const before = known ?? NO_DEVICES;
  // A list that is empty may be that of a node which has not got the chain yet.
  if (listed.length === 0) return { known: before, events: [] };
  const wasListed = (key: X25519KeyHex): boolean => before.signed.includes(key) || before.first.includes(key);
  const signed = keysOf(listed, ({ voucher }) => voucher === "signature");
  // What is not proven counts only while nothing is.
  const isFirst = (key: X25519KeyHex): boolean => signed.length === 0 && (known === undefined || before.first.includes(key));
  const first = keysOf(listed, ({ key, voucher }) => voucher === "unknown" && isFirst(key));
  const accepted = [...signed, ...first];
  const refused = keysOf(listed, ({ key }) => !accepted.includes(key));
  const removed = [...before.signed, ...before.first].filter((key) => !accepted.includes(key) && !refused.includes(key));
  const events: DeviceEvent[] = [
    ...eventsOf("removed", removed),
    ...eventsOf("added", known === undefined ? [] : accepted.filter((key) => !wasListed(key))),
    ...eventsOf(
      "refused",
      refused.filter((key) => !before.refused.includes(key)),
    ),
  ];
  const isSame =
    events.length === 0 && known !== undefined && signed.length === before.signed.length && refused.length === before.refused.length;
  if (isSame) return { known, events };
  const gone = before.gone.filter(({ key }) => !accepted.includes(key) && !removed.includes(key));
  return {
    known: {
      signed,
      first,
      refused,
      ...(before.copied && { copied: before.copied.filter((key) => accepted.includes(key)) }),
      gone: [...gone, ...removed.map((key) => ({ key, learnedAt: nowMs }))].slice(-MAX_GONE),
      changes: before.changes + events.length,
      changedAt: events.length === 0 ? before.changedAt : nowMs,
    },
    events,
  };
}

/** A listed device was copied or set back. It is said once. */
export function withCopied(
  known: KnownDevices,
  key: X25519KeyHex,
  nowMs: number,
): { readonly known: KnownDevices; readonly events: readonly DeviceEvent[] } {
  const { copied = [], signed, first } = known;
  if (copied.includes(key) || !(signed.includes(key) || first.includes(key))) return { known, events: [] };
  return {
    known: { ...known, copied: [...copied, key], changes: known.changes + 1, changedAt: nowMs },
    events: [{ event: "copied", key }],
  };
}

function keysOf(listed: readonly JudgedKey[], isChosen: (judged: JudgedKey) => boolean): readonly X25519KeyHex[] {
  return [...new Set(listed.filter(isChosen).map(({ key }) => key))];
}

function eventsOf(event: DeviceEvent["event"], keys: readonly X25519KeyHex[]): readonly DeviceEvent[] {
  return keys.map((key) => ({ event, key }));
}
