// What of a chat goes into a file that is read without Parley.
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatLongDate } from "#renderer/lib/format/time.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { LinkPreview } from "#shared/content/chat/link-preview.ts";
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { type NameOf, textOfBody } from "../../model/message-text.ts";
import type { ChatDocument, ExportedFile, ExportedMessage } from "./chat-document.ts";

/** Bytes of files in one export; those of later messages are named only. */
export const MAX_EXPORTED_BYTES = 268_435_456;

export interface ExportOptions {
  readonly id: ConversationId;
  readonly title: string;
  readonly me: PublicKeyHex;
  /** The other person of a chat of two; null in groups and for a sender without a proven identity. */
  readonly peer: PublicKeyHex | null;
  readonly withFiles: boolean;
  readonly nameOf: NameOf;
  readonly t: Translate;
}

/** All messages that are here, oldest first. Those that disappear are left out: they are not to outlive their time. */
export async function collectChat(messenger: Messenger, options: ExportOptions): Promise<ChatDocument> {
  const { id, title, withFiles, t } = options;
  const view = messenger.openConversation(id);
  try {
    await view.loadBack(Number.NEGATIVE_INFINITY);
    const lasting = view.getSnapshot().messages.filter(({ expiresInS }) => expiresInS === null);
    const messages: ExportedMessage[] = [];
    let room = MAX_EXPORTED_BYTES;
    for (const message of lasting) {
      const size = message.body.kind === "attachment" ? message.body.size : 0;
      const isTaken = withFiles && size <= room;
      const exported = await exportedMessage(messenger, message, { ...options, withFiles: isTaken });
      if (exported.file?.data !== undefined) room -= size;
      messages.push(exported);
    }
    return { title: visibleText(title), exportedAt: new Date().toISOString(), language: t.locale, messages };
  } finally {
    view.close();
  }
}

async function exportedMessage(messenger: Messenger, message: ChatMessage, options: ExportOptions): Promise<ExportedMessage> {
  const { id, at, body, direction, isEdited, reactions } = message;
  const { me, peer, title, nameOf, t } = options;
  const isOwn = direction === "out";
  const author = isOwn ? me : (message.author ?? peer);
  const file = await exportedFile(messenger, message, options.withFiles);
  return {
    id,
    author: visibleText(author === null ? title : nameOf(author)),
    ...(author !== null && { address: formatAddress(author) }),
    isOwn,
    at: new Date(at).toISOString(),
    kind: body.kind,
    text: exportedText(message, t, nameOf),
    isEdited,
    ...(body.kind === "reply" && body.quote !== "" && { quote: body.quote }),
    reactions: reactions.map(({ emoji, count }) => ({ emoji, count })),
    ...(file && { file }),
    ...("preview" in body && body.preview !== undefined && { preview: exportedPreview(body.preview) }),
  };
}

/** What a message says, with what its card shows: notes of payments, lines of invoices, answers of polls and who chose them. */
function exportedText({ body, poll }: ChatMessage, t: Translate, nameOf: NameOf): string {
  const text = textOfBody(t, body, nameOf);
  switch (body.kind) {
    case "attachment":
      return body.voice === undefined && body.sticker === undefined ? body.caption : text;
    case "poll": {
      const votes = Object.entries(poll?.choices ?? {});
      const chosenBy = (index: number): string =>
        votes
          .filter(([, choices]) => choices.includes(index))
          .map(([person]) => visibleText(nameOf(person)))
          .join(", ");
      return [text, ...body.answers.map((answer, index) => `${oneLine(answer)}: ${chosenBy(index) || t("chat.pollNoVotes")}`)].join("\n");
    }
    case "pay.request": {
      const lines = (body.lines ?? []).map((line) => `${oneLine(line.text)}: ${amountText(t, line.amountUt)}`);
      const due = body.due === undefined ? "" : t("payments.due", { date: formatLongDate(t.locale, body.due) });
      return [text, body.note, body.number ?? "", ...lines, due].filter((line) => line !== "").join("\n");
    }
    case "pay.split": {
      const shares = body.shares.map(({ person, amountUt }) => `${visibleText(nameOf(person))}: ${amountText(t, amountUt)}`);
      return [text, body.note, ...shares].filter((line) => line !== "").join("\n");
    }
    case "pay.receipt":
      return [text, body.note ?? ""].filter((line) => line !== "").join("\n");
    default:
      return text;
  }
}

function exportedPreview({ link, title, description }: LinkPreview): NonNullable<ExportedMessage["preview"]> {
  return { link, title: oneLine(title), description: oneLine(description) };
}

/** Nothing that someone else wrote looks like a line of its own. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " "));
}

async function exportedFile(messenger: Messenger, { key, body }: ChatMessage, withFiles: boolean): Promise<ExportedFile | undefined> {
  if (body.kind !== "attachment") return undefined;
  const { name, mediaType, size } = body;
  const bytes = withFiles && size <= MAX_PUSHED_FILE_BYTES ? await messenger.readFile(key) : undefined;
  return { name: visibleText(name), mediaType, size, ...(bytes !== undefined && { data: toBase64(bytes) }) };
}
