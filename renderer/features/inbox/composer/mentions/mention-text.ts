// Finds the people whom a typed text names by "@" and a name, and the name that is being typed. Pure.
import { MAX_MENTIONS, type Mention, type MentioningText } from "#shared/content/chat/mention-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Someone who can be named. */
export interface Mentionable {
  readonly person: PublicKeyHex;
  /** How they are called here; different from the others. */
  readonly label: string;
  /** How they call themselves: what a private name says stays here. */
  readonly publicName: string;
}

/** What is typed behind an "@" up to the caret. */
export interface MentionQuery {
  /** Place of the "@". */
  readonly start: number;
  readonly name: string;
}

const LONGEST_QUERY = 48;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Before an "@" that begins a name: in addresses of pages and mail others stand there. */
const BEFORE = /[\s\p{Ps}\p{Pi}"'*~>,;:!?–—_-]/u;

/** The name that is being typed at the caret, or undefined. */
export function mentionQuery(text: string, caret: number): MentionQuery | undefined {
  const start = text.slice(0, caret).lastIndexOf("@");
  const name = text.slice(start + 1, caret);
  const isName = start !== -1 && name.length <= LONGEST_QUERY && !name.includes("\n") && !/^\s/.test(name);
  return isName && beginsName(text, start) ? { start, name } : undefined;
}

/** People of whose labels a word begins so, those whose label does before the others. */
export function matchingPeople(people: readonly Mentionable[], name: string): readonly Mentionable[] {
  const wanted = folded(name);
  const matches = people.filter(({ label }) => ` ${folded(label)}`.includes(` ${wanted}`));
  const isFirst = ({ label }: Mentionable): boolean => folded(label).startsWith(wanted);
  return [...matches.filter(isFirst), ...matches.filter((person) => !isFirst(person))];
}

/** The text as it is sent, with at most {@link MAX_MENTIONS} of the people whom it names. */
export function sentText(typed: string, people: readonly Mentionable[]): MentioningText {
  const longestFirst = people.toSorted((a, b) => b.label.length - a.label.length);
  const mentions: Mention[] = [];
  let text = "";
  let at = 0;
  for (const { index } of typed.matchAll(/@/g)) {
    if (index < at || !beginsName(typed, index)) continue;
    const named = longestFirst.find(({ label }) => isNamed(typed, index + 1, label));
    if (named === undefined) continue;
    text += typed.slice(at, index);
    // Beyond the bound no one is mentioned, but a private name stays here all the same.
    if (mentions.length < MAX_MENTIONS) mentions.push({ start: text.length, length: named.publicName.length + 1, person: named.person });
    text += `@${named.publicName}`;
    at = index + 1 + named.label.length;
  }
  return mentions.length === 0 ? { text: typed } : { text: text + typed.slice(at), mentions };
}

function isNamed(typed: string, at: number, label: string): boolean {
  const written = typed.slice(at, at + label.length);
  return folded(written) === folded(label) && !WORD.test(typed.charAt(at + label.length));
}

function beginsName(text: string, at: number): boolean {
  return at === 0 || BEFORE.test(text.charAt(at - 1));
}

function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
