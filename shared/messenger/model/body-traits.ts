// What can be done with a message of each kind: every kind has an entry, so that one that is forgotten does not compile.
import type { MessageReference } from "#shared/content/content.ts";
import type { MessageBody } from "./message.ts";
import type { MessageRecord } from "./records.ts";

type BodyKind = MessageBody["kind"];
type OfKind<K extends BodyKind> = Extract<MessageBody, { readonly kind: K }>;

interface Traits {
  /** Shown in the middle of a chat, from neither side: there is nothing to read. */
  readonly isNote?: true;
  /** Its author can change the text. */
  readonly isEditable?: true;
  /** Takes no reactions, edits and deletions any more. */
  readonly isFixed?: true;
  /** Its author is not offered to take it back. */
  readonly isPermanent?: true;
  /** Can be answered by nothing. */
  readonly isUnanswerable?: true;
}

interface BodyTraits<K extends BodyKind> extends Traits {
  /** What it is found by, or "" when there is nothing to find. */
  words(body: OfKind<K>): string;
}

const WRITTEN = { words: ({ text }: { readonly text: string }): string => text };
const WORDLESS = { words: (): string => "" };

const TRAITS = {
  text: { ...WRITTEN, isEditable: true },
  reply: { ...WRITTEN, isEditable: true },
  timer: { ...WORDLESS, isNote: true, isPermanent: true },
  attachment: { words: ({ name, caption }) => `${name} ${caption}` },
  "pay.request": { words: ({ note, number = "", lines = [] }) => [note, number, ...lines.map(({ text }) => text)].join(" ").trim() },
  "pay.split": { words: ({ note }) => note },
  poll: { words: ({ question, answers }) => [question, ...answers].join(" ") },
  "pay.receipt": { words: ({ note = "" }) => note },
  "call.offer": { ...WORDLESS, isPermanent: true, isUnanswerable: true },
  "contact.accept": { ...WORDLESS, isNote: true },
  "group.note": { ...WORDLESS, isNote: true },
  "device.note": { ...WORDLESS, isNote: true, isFixed: true, isPermanent: true },
  missing: { ...WORDLESS, isNote: true, isFixed: true, isPermanent: true },
  deleted: { ...WORDLESS, isFixed: true, isPermanent: true, isUnanswerable: true },
  damaged: { ...WORDLESS, isFixed: true, isPermanent: true, isUnanswerable: true },
  plain: { ...WRITTEN, isUnanswerable: true },
  unsupported: { words: ({ fallback }) => fallback },
} as const satisfies { readonly [K in BodyKind]: BodyTraits<K> };

type BodyWith<Trait extends keyof Traits> = {
  readonly [K in BodyKind]: (typeof TRAITS)[K] extends { readonly [T in Trait]: true } ? OfKind<K> : never;
}[BodyKind];

/** True for a body of a kind with the trait. */
export function hasTrait<Trait extends keyof Traits>(body: MessageBody, trait: Trait): body is BodyWith<Trait> {
  return (TRAITS[body.kind] as Traits)[trait] === true;
}

/** What a message is found by. */
export function wordsOf(body: MessageBody): string {
  const { words } = TRAITS[body.kind] as BodyTraits<BodyKind>;
  return words(body);
}

/** Of an answer: the message with which the words go that it repeats; undefined where it repeats none for good. */
export function tiedTo({ body, quoted }: Pick<MessageRecord, "body" | "quoted">): MessageReference | undefined {
  return body.kind === "reply" && quoted === undefined ? body.to : undefined;
}
