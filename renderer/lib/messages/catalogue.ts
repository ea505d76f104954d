// What a language is: every key of the English catalogue with its own words.
import type { en } from "./en.ts";
import { formatMessage, type IsPlain, type Message, type MessageValues } from "./format-message.ts";

type English = typeof en;

export type MessageKey = keyof English;

/** Key of a message without placeholders: what a table of labels holds. */
export type PlainMessageKey = { readonly [Key in MessageKey]: IsPlain<English[Key]> extends true ? Key : never }[MessageKey];

/** A complete language. */
export type Catalogue = { readonly [Key in MessageKey]: English[Key] extends string ? string : Exclude<Message, string> };

/** Text of a key: `t("wallet.title")`, `t("node.peers", { count: 3 })`. The compiler knows which values a key needs. */
export interface Translate {
  <Key extends MessageKey>(key: Key, ...values: IsPlain<English[Key]> extends true ? [] : [values: MessageValues<English[Key]>]): string;
  /** Of the language, for numbers within its texts. */
  readonly locale: string;
}

/** Translator of one language. A message whose words are not loaded is shown as its key. */
export function createTranslate(locale: string, catalogue: Partial<Catalogue>): Translate {
  const translate: Omit<Translate, "locale"> = (key: MessageKey, ...[values]: readonly [Readonly<Record<string, string | number>>?]) =>
    formatMessage(locale, catalogue[key] ?? key, values);
  return Object.assign(translate as Translate, { locale });
}
