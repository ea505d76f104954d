// The languages of the interface: which one is used, and its words, loaded when they are needed.
import type { LanguageChoice } from "../settings-store.ts";
import type { Catalogue } from "./catalogue.ts";
import { en } from "./en.ts";

/** Languages with every message. */
export const LANGUAGES = ["en", "de"] as const;

/** Tag of a language. */
export type LanguageTag = (typeof LANGUAGES)[number];

/** Names of the languages, each in itself. */
export const LANGUAGE_NAMES: Readonly<Record<LanguageTag, string>> = { en: "English", de: "Deutsch" };

/** A language ready to use. */
export interface LoadedLanguage {
  readonly tag: LanguageTag;
  /** For Intl: the person's own region where they have one for this language. */
  readonly locale: string;
  readonly catalogue: Catalogue;
}

/** The language of a choice, for somebody who prefers these languages. */
export function languageOf(choice: LanguageChoice, preferred: readonly string[]): LanguageTag {
  if (choice !== "system") return choice;
  const tags = preferred.map((tag) => tag.split("-")[0]?.toLowerCase());
  return tags.map((tag) => LANGUAGES.find((known) => known === tag)).find((tag) => tag !== undefined) ?? "en";
}

/** Region of a language: `en-GB` for somebody who prefers it, so that dates and times are written their way. */
export function localeOf(tag: LanguageTag, preferred: readonly string[]): string {
  return preferred.find((candidate) => candidate.split("-")[0]?.toLowerCase() === tag) ?? tag;
}

/** Loads a language. English is always there; a message that another one lacks is shown in English. */
export async function loadLanguage(choice: LanguageChoice, preferred: readonly string[]): Promise<LoadedLanguage> {
  const tag = languageOf(choice, preferred);
  const locale = localeOf(tag, preferred);
  if (tag === "en") return { tag, locale, catalogue: en };
  const { de } = await import("./de.ts");
  return { tag, locale, catalogue: { ...en, ...de } };
}
