// The languages of the interface: which one is used, and its words. Those of the first screens come at once, others with the
// shell, the rest with the first other view or in idle time.
import type { LanguageChoice } from "../settings/settings-store.ts";
import type { Catalogue } from "./catalogue.ts";
import { first } from "./en/first.ts";

/** Languages with every message. */
export const LANGUAGES = ["en", "de"] as const;

/** English turned around, to try the layout from right to left; offered by development builds only. */
export const PSEUDO_LANGUAGE = "ar-XB";

export type LanguageTag = (typeof LANGUAGES)[number] | typeof PSEUDO_LANGUAGE;

/** Names of the languages, each in itself. */
export const LANGUAGE_NAMES: Readonly<Record<LanguageTag, string>> = { en: "English", de: "Deutsch", "ar-XB": "Pseudo (right to left)" };

/** How much of a language is requested: the words before the shell, those until the inbox is shown, or all of them. */
export const EXTENTS = ["first", "inbox", "all"] as const;
export type Extent = (typeof EXTENTS)[number];

/** A language ready to use. */
export interface LoadedLanguage {
  readonly tag: LanguageTag;
  /** For Intl: the person's own region where they have one for this language. */
  readonly locale: string;
  readonly extent: Extent;
  readonly catalogue: Partial<Catalogue>;
}

/** Each extent is a file of its own; English is part of the page for the first screens. */
const WORDS: Readonly<Record<LanguageTag, Readonly<Record<Extent, () => Promise<Partial<Catalogue>>>>>> = {
  en: {
    first: async () => first,
    inbox: async () => (await import("./until-inbox-en.ts")).untilInbox,
    all: async () => (await import("./en.ts")).en,
  },
  de: {
    first: async () => (await import("./de/first.ts")).first,
    inbox: async () => (await import("./until-inbox-de.ts")).untilInbox,
    all: async () => (await import("./de.ts")).de,
  },
  "ar-XB": {
    first: async () => turned(first),
    inbox: async () => turned((await import("./until-inbox-en.ts")).untilInbox),
    all: async () => turned((await import("./en.ts")).en),
  },
};

async function turned(words: Partial<Catalogue>): Promise<Partial<Catalogue>> {
  return (await import("./pseudo-right-to-left.ts")).turnCatalogue(words);
}

/** The language of a choice, for a user who prefers these languages. */
export function languageOf(choice: LanguageChoice, preferred: readonly string[]): LanguageTag {
  if (choice !== "system") return choice;
  const tags = preferred.map((tag) => tag.split("-")[0]?.toLowerCase());
  return tags.map((tag) => LANGUAGES.find((known) => known === tag)).find((tag) => tag !== undefined) ?? "en";
}

/** Region of a language: `en-GB` for a user who prefers it, so that dates and times are written their way. */
export function localeOf(tag: LanguageTag, preferred: readonly string[]): string {
  return preferred.find((candidate) => candidate.split("-")[0]?.toLowerCase() === tag) ?? tag;
}

/** Loads the words of a language. */
export async function loadLanguage(choice: LanguageChoice, preferred: readonly string[], extent: Extent): Promise<LoadedLanguage> {
  const tag = languageOf(choice, preferred);
  return { tag, locale: localeOf(tag, preferred), extent, catalogue: await WORDS[tag][extent]() };
}
