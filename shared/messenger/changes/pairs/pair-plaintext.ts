// Bytes of a content of a pair. The own card goes along in place of padding, never where it would raise the size.

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
  { id, frame, shown }: LeavingContent,
  content: Omit<OutgoingPairContent, "id" | "card" | keyof LeavingContent["frame"]>,
): PairPlaintext {
  const bare = encodePairContent({ ...content, ...frame, id });
  if (shown === undefined) return { plaintext: bare, cardId: undefined };
  const withCard = encodePairContent({ ...content, ...frame, id, card: shown });
  return pairSize(withCard.length) === pairSize(bare.length)
    ? { plaintext: withCard, cardId: shown.id }
    : { plaintext: bare, cardId: undefined };
}
