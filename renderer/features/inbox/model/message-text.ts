// What a message says in one line or aloud, in the words of the catalogue.
import { amountText } from "#renderer/lib/format/amount.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { formatCountdown } from "#renderer/lib/format/time.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { withoutInvites } from "#renderer/lib/people/group-invite.ts";
import { withNames } from "#shared/content/chat/mention-content.ts";
import {
  ADMIN_CHANGED,
  GROUP_CREATED,
  type GroupNote,
  type MessageBody,
  NO_RECIPIENT,
  type OutgoingState,
  type StoredAttachment,
} from "#shared/messenger/model/message.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { wordsWithoutMarks } from "../text/words-without-marks.ts";

/** Longest text that is read aloud or shown in a list, characters. */
export const MAX_PREVIEW_CHARS = 200;

/** Names of people, where they are known. */
export type NameOf = (person: PublicKeyHex) => string;

const byAddress: NameOf = (person) => shorten(formatAddress(person));

/** The text of a body, as it was typed where no names are given; for the kinds without one, what it is. */
export function textOfBody(t: Translate, body: MessageBody, nameOf?: NameOf): string {
  switch (body.kind) {
    case "plain":
      return body.text;
    case "text":
    case "reply":
      return nameOf === undefined ? body.text : withNames(body, nameOf);
    case "pay.request":
      return t("inbox.payRequest", { amount: amountText(t, body.amountUt) });
    case "pay.split":
      return t("inbox.paySplit", { amount: amountText(t, body.amountUt) });
    case "poll":
      return t("inbox.poll", { question: body.question });
    case "call.offer":
      return t(`inbox.call.${body.media}`);
    case "pay.receipt":
      return t("inbox.payReceipt", { amount: amountText(t, body.amountUt) });
    case "attachment":
      return attachmentText(t, body);
    case "contact.accept":
      return t("inbox.contactAccepted");
    case "group.note":
      return noteInWords(t, body, nameOf ?? byAddress);
    case "timer":
      return body.seconds === 0 ? t("inbox.timerOff") : t("inbox.timerOn", { time: timeInWords(t, body.seconds) });
    case "deleted":
      return t("inbox.deleted");
    case "device.note":
      return t(`inbox.device.${body.event}`);
    case "missing":
      return t("inbox.missing", { count: body.count });
    case "unsupported":
      return body.fallback === "" ? t("inbox.unsupported", { name: body.name }) : body.fallback;
    case "damaged":
      return t("inbox.damaged");
  }
}

function attachmentText(t: Translate, { voice, sticker, caption, image, name }: StoredAttachment): string {
  if (voice !== undefined) return t("inbox.voice", { time: formatCountdown(Math.round(voice.durationMs / 1000)) });
  if (sticker !== undefined) return t("inbox.sticker", { emoji: sticker });
  return caption === "" ? t(image === null ? "inbox.fileNamed" : "inbox.picture", { name }) : caption;
}

function noteInWords(t: Translate, { event, person, name: group }: GroupNote, nameOf: NameOf): string {
  if (event === "named" || event === "claimed") return t(`inbox.group.${event}`, { group });
  const name = person === null ? "" : nameOf(person);
  if (event === GROUP_CREATED) return t("inbox.group.created", { name });
  return t(event === ADMIN_CHANGED ? "inbox.group.adminChanged" : `inbox.group.${event}`, { name });
}

/** How far one's own message has come. */
export function stateInWords(t: Translate, state: OutgoingState): string {
  return t(`inbox.state.${state === NO_RECIPIENT ? "unreachable" : state}`);
}

/** A time in its largest whole unit. */
export function timeInWords(t: Translate, seconds: number): string {
  const [unit, size] = TIME_UNITS.find(([, length]) => seconds % length === 0) ?? ["seconds", 1];
  return t(`common.time.${unit}`, { count: seconds / size });
}

const TIME_UNITS = [
  ["weeks", 604_800],
  ["days", 86_400],
  ["hours", 3_600],
  ["minutes", 60],
] as const;

/** The text on one line, without what invite links hold, cut where no list shows more. */
export function previewOf(t: Translate, body: MessageBody, nameOf?: NameOf): string {
  const text = withoutInvites(textOfBody(t, body, nameOf), t("inbox.inviteCard"));
  const words = "text" in body ? wordsWithoutMarks(text) : text;
  return [...words.replace(/\s+/g, " ").trim()].slice(0, MAX_PREVIEW_CHARS).join("");
}
