// Typing notices between devices that write in version 2: to the mailbox that one of them keeps for the person of the other, under a name that
// only the two know. So a relay learns that someone types to that mailbox, as it learns of a message.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { typingName, typingSlot } from "#shared/protocol/pairs/typing-name.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { isBound } from "../pairs/pair-record.ts";
import { boxFor } from "../pairs/their-box.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** What travels. */
export interface TypingNotice {
  readonly to: X25519KeyHex;
  readonly from: X25519KeyHex;
}

/** People to whose names one listens, those in whose chats something happened last. */
export const MAX_TYPING_PEOPLE = 32;
/** Cards of a device whose names are known: the one shown last, and the one before, which that device may still go by. */
const CARDS_KNOWN = 2;
/** Devices whose names are remembered; those of others are computed again. */
const MAX_KNOWN = 256;

type Names = ReadonlySet<X25519KeyHex>;

interface Known {
  readonly psks: readonly Uint8Array[];
  readonly slot: number;
  readonly names: Names;
}

/**
 * What the devices of a person are sent. A device without a pair is of an older or another program: it gets the keys of both devices, as ever.
 * One with a pair that has not shown a mailbox yet gets nothing.
 */
export function noticesFor(
  { pairs, account, clock }: Pick<EngineContext, "pairs" | "account" | "clock">,
  peer: PublicKeyHex,
  devices: readonly X25519KeyHex[],
): readonly TypingNotice[] {
  return devices.flatMap((device): readonly TypingNotice[] => {
    const pair = pairs.get(device);
    if (pair === undefined || pair.peer !== peer || !isBound(pair)) return [{ to: device, from: account.devicePub }];
    const box = boxFor(pair.state, undefined);
    const card = pair.state.theirs?.card;
    if (box === undefined || card === undefined || card === null) return [];
    return [{ to: box.mailbox, from: typingName(card.psk, typingSlot(clock.nowMs())) }];
  });
}

/** Knows the names under which devices of people type to this one. */
export class TypingNames {
  readonly #context: Pick<EngineContext, "pairs" | "boxes" | "clock">;
  readonly #known = new Map<X25519KeyHex, Known>();

  constructor(context: Pick<EngineContext, "pairs" | "boxes" | "clock">) {
    this.#context = context;
  }

  /** Whose device it is that types to a mailbox of this one; undefined where the name is no one's. */
  ownerOf(mailbox: X25519KeyHex, from: X25519KeyHex): PublicKeyHex | undefined {
    const { boxes, pairs, clock } = this.#context;
    const peer = boxes.all.find(({ boxes: own }) => own.some((box) => box.mailbox === mailbox))?.peer;
    if (peer === undefined) return undefined;
    const slot = typingSlot(clock.nowMs());
    for (const { peer: person, device, shown } of pairs.all)
      if (person === peer && shown !== null && this.#namesOf(device, shown.psk, slot).has(from)) return peer;
    return undefined;
  }

  #namesOf(device: X25519KeyHex, psk: Uint8Array, slot: number): Names {
    const known = this.#known.get(device);
    const isKnown = known?.psks.some((other) => equalBytes(other, psk)) === true;
    if (isKnown && known.slot === slot) return known.names;
    const psks = isKnown ? known.psks : [psk, ...(known?.psks ?? [])].slice(0, CARDS_KNOWN);
    const names = new Set(psks.flatMap((one) => [slot - 1, slot, slot + 1].map((at) => typingName(one, at))));
    this.#known.delete(device);
    this.#known.set(device, { psks, slot, names });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    return names;
  }
}
