// Bytes of a content of a pair. The own card and box, and which files this device takes, go along in place of padding, never where it would
// raise the size.

import { MAX_FILE_BOXES, MAX_FILE_BYTES } from "#shared/content/content.ts";
import type { OutgoingPairContent } from "#shared/content/pairs/pair-content.ts";
import { encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { pairSize } from "#shared/protocol/pairs/pair-wire.ts";
import type { LeavingContent } from "./leave-contents.ts";

/** A content as it is sealed, and the id of the card that it shows. */
export interface PairPlaintext {
  readonly plaintext: Uint8Array;
  readonly cardId: string | undefined;
}

/** A content that leaves. @throws RangeError when a limit is exceeded. */
export function pairPlaintext(
  { id, frame, shown: card, told: box }: LeavingContent,
  content: Omit<OutgoingPairContent, "id" | "card" | "box" | "files" | "boxes" | keyof LeavingContent["frame"]>,
): PairPlaintext {
  const encode = (more: Pick<OutgoingPairContent, "card" | "box" | "files" | "boxes">): Uint8Array =>
    encodePairContent({ ...content, ...frame, id, ...more });
  let said = {};
  let plaintext = encode(said);
  const size = pairSize(plaintext.length);
  // The card goes before the box: secrets are destroyed sooner by it.
  for (const more of [card && { card }, box && { box }, { files: MAX_FILE_BYTES, boxes: MAX_FILE_BOXES }]) {
    if (more === undefined) continue;
    const longer = encode({ ...said, ...more });
    if (pairSize(longer.length) !== size) continue;
    said = { ...said, ...more };
    plaintext = longer;
  }
  return { plaintext, cardId: "card" in said ? card?.id : undefined };
}
