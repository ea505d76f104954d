// What reactions, edits and deletions make of a message. Pure, idempotent, and the same in any order of arrival.
import { type AmendmentBody, MAX_REVISIONS } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { hasTrait } from "./body-traits.ts";
import type { MessageRecord } from "./records.ts";

/** An author can change or take back a message this long. */
export const CHANGE_MS = 86_400_000;
/** Most people whose reactions one message holds. */
const MAX_REACTIONS = 64;

/** A change of a message, and its author. */
export interface Amendment {
  readonly from: PublicKeyHex;
  readonly at: number;
  readonly body: AmendmentBody;
}

/** The message after the change, or undefined when nothing changes. `author` is who wrote the message. */
export function amendMessage(record: MessageRecord, author: string, { from, at, body }: Amendment): MessageRecord | undefined {
  if (hasTrait(record.body, "isFixed")) return undefined;
  if (body.kind === "reaction") return withReaction(record, from, { emoji: body.emoji, at });
  if (from !== author || at - record.at > CHANGE_MS) return undefined;
  if (body.kind === "delete") return deleted(record);
  if (!hasTrait(record.body, "isEditable")) return undefined;
  const known = record.revision ?? 0;
  const isLater = body.revision > known || (body.revision === known && body.text > record.body.text);
  if (!isLater || body.revision > MAX_REVISIONS) return undefined;
  return { ...record, body: { ...record.body, text: body.text }, revision: body.revision };
}

function withReaction(
  record: MessageRecord,
  from: PublicKeyHex,
  reaction: { readonly emoji: string; readonly at: number },
): MessageRecord | undefined {
  const known = record.reactions?.[from];
  const isLater = known === undefined || reaction.at > known.at || (reaction.at === known.at && reaction.emoji > known.emoji);
  const hasRoom = known !== undefined || Object.keys(record.reactions ?? {}).length < MAX_REACTIONS;
  return isLater && hasRoom ? { ...record, reactions: { ...record.reactions, [from]: reaction } } : undefined;
}

function deleted({ reactions: _reactions, revision: _revision, transfer: _transfer, ...record }: MessageRecord): MessageRecord {
  return { ...record, body: { kind: "deleted" }, raw: null, problem: null };
}
