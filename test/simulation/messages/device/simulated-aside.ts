// Mail of devices that are not listed yet, on the disk of a simulated device: opened, kept and judged again by the rules of real ones.
import type { BothClocks } from "#shared/messenger/pairs/counted-days.ts";
import { type AsideItem, isOver, withAside } from "#shared/messenger/receiving/boxes/aside-record.ts";
import type { SimulatedEnvelope } from "../network/mail-network.ts";
import { isClaim } from "../people/stranger-flood.ts";
import { personOf } from "./simulated-boxes.ts";

/** Bytes of each content. */
const BYTES = 256;

/** An envelope that was opened. */
export interface OpenedEnvelope {
  /** Without the id of a card where that is none of the pair. */
  readonly envelope: SimulatedEnvelope;
  /** Of the own card that it came under; undefined for none of this pair. */
  readonly secret: string | undefined;
  /** When it came, by the time of the world. */
  readonly cameMs: number;
}

/** What waits on a disk; never changed in place. */
export interface DiskAside {
  readonly items: readonly AsideItem[];
  /** By the id of the envelope. */
  readonly mail: ReadonlyMap<string, OpenedEnvelope>;
}

export const NOTHING_ASIDE: DiskAside = { items: [], mail: new Map() };

/** With one more; the same where its content waits already, undefined where there is no room for it. The person's key vouches for all honest devices. */
export function putAside(aside: DiskAside, opened: OpenedEnvelope, { ownMs, blockMs }: BothClocks): DiskAside | undefined {
  const { from: device, content, cardId } = opened.envelope;
  const envelope = `${device} ${content.id} ${cardId}`;
  const from = personOf(device);
  const after = withAside(aside.items, {
    ...{ envelope, id: content.id, from, device },
    isVouched: !isClaim(device),
    at: ownMs,
    ...(blockMs > 0 && { blockAt: blockMs }),
    bytes: BYTES,
  });
  if (after === "known") return aside;
  return after && { items: after.items, mail: new Map(aside.mail).set(envelope, opened) };
}

/** What waits judged again: what is taken now, in the order in which it came, how many have waited in vain, and what is left. */
export function judgedAside(
  aside: DiskAside,
  isListed: (opened: OpenedEnvelope) => boolean,
  { ownMs, blockMs }: BothClocks,
): { readonly taken: readonly OpenedEnvelope[]; readonly over: number; readonly left: DiskAside } {
  const taken: OpenedEnvelope[] = [];
  let over = 0;
  const items = aside.items.filter((item) => {
    const opened = aside.mail.get(item.envelope);
    if (opened !== undefined && isListed(opened)) taken.push(opened);
    else if (opened === undefined || isOver(item, { nowMs: ownMs, blockMs: blockMs || undefined })) over += 1;
    else return true;
    return false;
  });
  if (items.length === aside.items.length) return { taken, over, left: aside };
  const mail = new Map(
    items.flatMap(({ envelope }) => aside.mail.get(envelope) ?? []).map((opened, at) => [items[at]?.envelope ?? "", opened]),
  );
  return { taken, over, left: { items, mail } };
}

/**
 * What must be there once lists show who sent it, though nothing is sent again: texts, and that anything was heard of the device. Evaluated
 * apart from what is stored.
 */
export class AsideOracle {
  readonly #texts = new Map<string, Set<string>>();

  /** A content was opened whose device is not listed. */
  note({ envelope: { from, body } }: OpenedEnvelope): void {
    const texts = this.#texts.get(from) ?? new Set<string>();
    if (body.text !== undefined) texts.add(body.text);
    this.#texts.set(from, texts);
  }

  /** The same, as it is kept with an image of the disk. */
  copy(): AsideOracle {
    const copy = new AsideOracle();
    for (const [device, texts] of this.#texts) copy.#texts.set(device, new Set(texts));
    return copy;
  }

  /** What is not there of a device that is listed now; undefined where nothing lacks. */
  missing(
    isListed: (device: string) => boolean,
    { isHeard, isThere }: { readonly isHeard: (device: string) => boolean; readonly isThere: (text: string) => boolean },
  ): string | undefined {
    for (const [device, texts] of this.#texts) {
      if (!isListed(device)) continue;
      if (!isHeard(device)) return `the card of ${device}`;
      const missing = [...texts].find((text) => !isThere(text));
      if (missing !== undefined) return missing;
      this.#texts.delete(device);
    }
    return undefined;
  }
}
