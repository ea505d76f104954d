// Selected messages as text that can be pasted elsewhere: who wrote, when, and what. Pure.
import { formatDateTime } from "#renderer/lib/format/time.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { type NameOf, textOfBody } from "../../model/message-text.ts";

/** One paragraph a message, in their order; `peer` wrote those without an author that are not one's own. */
export function selectedText(
  t: Translate,
  messages: readonly ChatMessage[],
  names: { readonly nameOf: NameOf; readonly peer: string },
): string {
  return messages
    .map(({ at, author, direction, body }) => {
      const who = direction === "out" ? t("common.you") : author === null ? names.peer : names.nameOf(author);
      return `${who}, ${formatDateTime(t.locale, at)}:\n${textOfBody(t, body, names.nameOf)}`;
    })
    .join("\n\n");
}
