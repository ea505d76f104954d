// Answers repeat words of a message as long as that is here: when it goes, for everyone or here alone, its words go from them too.
import type { MessageReference } from "#shared/content/content.ts";
import { tiedTo } from "../../model/body-traits.ts";
import type { MessageKey } from "../../model/message.ts";
import type { MessageContent, MessageRecord, StoredMessage } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { MAX_TIED_ANSWERS } from "../../store/store-bounds.ts";
import type { Change } from "../change.ts";

/** A message as it is stored: an answer without words of what is gone here, or goes before it does. What can come back still keeps them. */
export async function tied(
  { store, undoable }: Pick<EngineContext, "store" | "undoable">,
  change: Change,
  { key, record }: { readonly key: MessageKey; readonly record: MessageRecord },
): Promise<MessageRecord> {
  const to = tiedTo(record);
  if (to === undefined) return record;
  const answered = await store.messageKey(to.author, to.id);
  const original = await change.batch.message(answered);
  const isGone =
    original === undefined ? await wasHere(change, record.conversation, { to, key: answered }) : original.body.kind === "deleted";
  if (isGone) {
    if (original === undefined) keepAnswer(undoable.get(answered)?.answers, { key, record });
    return withoutQuote(record, "gone");
  }
  const others = (await change.batch.answersTo(to)).filter((other) => other !== key);
  if (others.length >= MAX_TIED_ANSWERS) return withoutQuote(record, "none");
  if (original === undefined) return apart(change, record);
  return outlives(record.expiry?.seconds ?? 0, original) ? withoutQuote(record) : together(record);
}

/** What an answer that stays repeats of a message that may come yet, and disappears in a chat like this. */
function apart(change: Change, record: MessageRecord): MessageRecord {
  const hasWords = record.body.kind === "reply" && record.body.quote !== "";
  const mayDisappear = record.expiry === undefined && change.conversation(record.conversation).timer !== undefined;
  return hasWords && mayDisappear ? { ...record, isQuoteApart: true } : record;
}

/** What it repeats stays as long as the answer does. */
function together(record: MessageRecord): MessageRecord {
  const { isQuoteApart: _, ...others } = record;
  return others;
}

/** For Undo, with what it repeated. */
function keepAnswer(answers: StoredMessage[] | undefined, answer: StoredMessage): void {
  if (answers !== undefined && answers.length < MAX_TIED_ANSWERS && !answers.some(({ key }) => key === answer.key)) answers.push(answer);
}

/** The message was here, or its author has taken it back before it came. */
async function wasHere(
  change: Change,
  conversation: string,
  { to: { author, id }, key }: { readonly to: MessageReference; readonly key: MessageKey },
): Promise<boolean> {
  if (await change.batch.hasSeen(key)) return true;
  const waiting = await change.batch.waitingAmendments([conversation, author, id]);
  return waiting.some(({ from, body }) => from === author && body.kind === "delete");
}

/** A message was added: answers that came before it give up what they repeat where it came deleted, or goes before they do. */
export async function followAnswers(
  context: Pick<EngineContext, "outbox">,
  change: Change,
  { author, record }: { readonly author: string; readonly record: MessageRecord },
): Promise<void> {
  const to = { author, id: record.id };
  if (record.body.kind === "deleted") return void (await untieAnswers(context, change, to));
  if (record.expiry === undefined && change.conversation(record.conversation).timer === undefined) return;
  for (const key of await change.batch.answersTo(to)) {
    const answer = await change.batch.message(key);
    if (answer === undefined) continue;
    if (outlives(answer.expiry?.seconds ?? 0, record)) change.updateMessage(key, withoutQuote(answer));
    else if (answer.isQuoteApart === true) change.updateMessage(key, together(answer));
  }
}

/** A message is gone: its answers say so, and repeat nothing of it. `except`: messages that go as well. Gives them as they were. */
export async function untieAnswers(
  { outbox }: Pick<EngineContext, "outbox">,
  change: Change,
  to: MessageReference,
  except?: ReadonlySet<MessageKey>,
): Promise<readonly StoredMessage[]> {
  const answers: StoredMessage[] = [];
  for (const key of await change.batch.answersTo(to)) {
    const answer = except?.has(key) === true ? undefined : await change.batch.message(key);
    if (answer === undefined) continue;
    answers.push({ key, record: answer });
    change.updateMessage(key, withoutQuote(answer, "gone"));
    requeue(outbox, change, key, bodyWithoutQuote);
  }
  return answers;
}

/** What waits to leave of an answer leaves with another body. */
function requeue(outbox: EngineContext["outbox"], change: Change, key: MessageKey, bodyOf: (body: MessageContent) => MessageContent): void {
  for (const { seq } of outbox.entriesOf(key)) {
    const queued = change.outboxRecord(seq);
    if (queued?.task.kind === "message") change.putOutbox({ ...queued, task: { ...queued.task, body: bodyOf(queued.task.body) } });
  }
}

/**
 * A message is back: its answers repeat again what they did, unless its author has taken it back since. Answers that are gone themselves do so
 * once they are back, too.
 */
export async function tieAgain(
  context: Pick<EngineContext, "store" | "undoable" | "outbox">,
  change: Change,
  answers: readonly StoredMessage[],
): Promise<void> {
  for (const { key, record } of answers) {
    const answer = await change.batch.message(key);
    const gone = answer === undefined ? context.undoable.get(key) : undefined;
    const current = answer ?? gone?.record;
    if (current?.quoted !== "gone" || current.body.kind !== "reply" || record.body.kind !== "reply") continue;
    const { quoted: _, ...others } = current;
    const whole = { ...others, body: { ...current.body, quote: record.body.quote } };
    if (gone !== undefined) {
      gone.record = whole;
      continue;
    }
    const again = await tied(context, change, { key, record: whole });
    change.updateMessage(key, again);
    const { quote } = again.body.kind === "reply" ? again.body : whole.body;
    requeue(context.outbox, change, key, (body) => (body.kind === "reply" ? { ...body, quote } : body));
  }
}

/** The body of an answer without what it repeats. */
export function bodyWithoutQuote(body: MessageContent): MessageContent {
  return body.kind === "reply" ? { ...body, quote: "" } : body;
}

/** An answer that disappears so many seconds after reading, or never (0), is there longer than the message that it answers. */
export function outlives(seconds: number, { expiry }: Pick<MessageRecord, "expiry">): boolean {
  return expiry !== undefined && (seconds === 0 || seconds > expiry.seconds);
}

/** The answer without what it repeats; for good where it is `quoted` so. */
function withoutQuote(record: MessageRecord, quoted?: NonNullable<MessageRecord["quoted"]>): MessageRecord {
  if (record.body.kind !== "reply") return record;
  return { ...together(record), body: { ...record.body, quote: "" }, ...(quoted && { quoted }) };
}
