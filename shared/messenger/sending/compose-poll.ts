// Polls as they are written: checked before anything is stored.
import {
  isChoice,
  MAX_ANSWER_BYTES,
  MAX_ANSWERS,
  MAX_QUESTION_BYTES,
  MIN_ANSWERS,
  type PollBody,
} from "#shared/content/chat/poll-content.ts";
import type { AmendmentBody } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import type { MessageRecord } from "../model/records.ts";

/** A poll as a person fills it in. */
export type NewPoll = Omit<PollBody, "kind">;

/** The body of a poll. @throws CodedError BAD_REQUEST that names the field. */
export function pollBody({ question, answers, isMultiple }: NewPoll): PollBody {
  const all = answers.map((answer) => checkedText("answers", answer, MAX_ANSWER_BYTES));
  if (all.length < MIN_ANSWERS || all.length > MAX_ANSWERS) throw refused("answers", `A poll has ${MIN_ANSWERS} to ${MAX_ANSWERS} answers`);
  if (new Set(all).size < all.length) throw refused("answers", "The answers of a poll differ");
  return { kind: "poll", question: checkedText("question", question, MAX_QUESTION_BYTES), answers: all, isMultiple };
}

/** A vote in a poll. @throws CodedError BAD_REQUEST for another message, a closed poll, and what cannot be chosen. */
export function voteOf({ body, id, poll }: MessageRecord, author: string, choices: readonly number[]): AmendmentBody {
  if (body.kind !== "poll") throw refused("key", "This is no poll");
  if (poll?.closedAt !== undefined) throw refused("key", "This poll is closed");
  const chosen = [...new Set(choices)].sort((a, b) => a - b);
  if (!isChoice(body, chosen)) throw refused("choices", "This cannot be chosen here");
  return { kind: "poll.vote", to: { author, id }, choices: chosen };
}

/** The end of a poll. @throws CodedError BAD_REQUEST for another message, and a poll of someone else. */
export function closingOf({ body, id, direction }: MessageRecord, author: string): AmendmentBody {
  if (body.kind !== "poll" || direction !== "out") throw refused("key", "Only its author ends a poll");
  return { kind: "poll.close", to: { author, id } };
}

function checkedText(field: string, text: string, maxBytes: number): string {
  const wellFormed = text.trim().toWellFormed();
  const bytes = utf8Length(wellFormed);
  if (bytes < 1 || bytes > maxBytes) throw refused(field, `The ${field} have 1 to ${maxBytes} bytes each`);
  return wellFormed;
}

function refused(field: string, message: string): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field } });
}
