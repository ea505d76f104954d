// Bytes of a content of a pair. The own card and box, and what this device takes, opens and reads, go along in place of padding, never where it
// would raise the size.

import { MAX_FILE_BOXES, MAX_FILE_BYTES } from "#shared/content/content.ts";
import type { OutgoingPairContent } from "#shared/content/pairs/pair-content.ts";
import { encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { LOG_VERSION } from "#shared/protocol/groups/group-bounds.ts";
import { PAIR_FORM, PUBLIC_PAIR_FORM, pairSize } from "#shared/protocol/pairs/pair-wire.ts";
import type { LeavingContent } from "./leave-contents.ts";

/** A content as it is sealed, and the id of the card that it shows. */
export interface PairPlaintext {
  readonly plaintext: Uint8Array;
  readonly cardId: string | undefined;
}

type Beside = "card" | "box" | "files" | "boxes" | "form" | "logs";

/** A content that leaves. @throws RangeError when a limit is exceeded. */
export function pairPlaintext(
  { id, frame, isPublic, shown: card, told: box }: LeavingContent,
  content: Omit<OutgoingPairContent, "id" | Beside | keyof LeavingContent["frame"]>,
): PairPlaintext {
  const encode = (more: Pick<OutgoingPairContent, Beside>): Uint8Array => encodePairContent({ ...content, ...frame, id, ...more });
  let said = {};
  let plaintext = encode(said);
  const form = isPublic ? PUBLIC_PAIR_FORM : PAIR_FORM;
  const size = pairSize(plaintext.length, form);
  // The card goes before the box: secrets are destroyed sooner by it.
  const ofFiles = { files: MAX_FILE_BYTES, boxes: MAX_FILE_BOXES, form: PUBLIC_PAIR_FORM };
  for (const more of [card && { card }, box && { box }, ofFiles, { logs: LOG_VERSION }]) {
    if (more === undefined) continue;
    const longer = encode({ ...said, ...more });
    if (pairSize(longer.length, form) !== size) continue;
    said = { ...said, ...more };
    plaintext = longer;
  }
  return { plaintext, cardId: "card" in said ? card?.id : undefined };
}
