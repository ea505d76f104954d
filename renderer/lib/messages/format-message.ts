// Fills a message of the catalogue: placeholders in braces, plural forms chosen by Intl. No markup, no nesting.
import { directionOf } from "./direction.ts";

/** Of each language, made once: making one takes milliseconds, and words of a view are formed at each change. */
const formatters = new Map<string, { readonly number: Intl.NumberFormat; readonly plural: Intl.PluralRules }>();

const ISOLATE = "\u2068";
const END_ISOLATE = "\u2069";

/** A message with one form per plural category of the language; `other` is always there and `{count}` decides. */
export interface PluralMessage {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** A text with `{name}` placeholders, or its plural forms. */
export type Message = string | PluralMessage;

type PlaceholderOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholderOf<Rest> : never;

type NamesIn<M> = M extends string
  ? PlaceholderOf<M>
  : M extends { readonly other: infer Other extends string }
    ? PlaceholderOf<Other> | "count"
    : never;

/** Values that a message needs, by the names of its placeholders; `count` must be a number. */
export type MessageValues<M> = { readonly [Name in NamesIn<M>]: Name extends "count" ? number : string | number };

/** True when a message has no placeholder. */
export type IsPlain<M> = [NamesIn<M>] extends [never] ? true : false;

/**
 * Text of a message in a language. Numbers are written the language's way; a missing value leaves its placeholder visible. In a language
 * from right to left values stand between marks that keep their own direction: an address or an amount stays in order.
 */
export function formatMessage(locale: string, message: Message, values: Readonly<Record<string, string | number>> = {}): string {
  const text = typeof message === "string" ? message : pluralForm(locale, message, Number(values.count ?? 0));
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    const written = typeof value === "number" ? formattersOf(locale).number.format(value) : value;
    return directionOf(locale) === "rtl" ? `${ISOLATE}${written}${END_ISOLATE}` : written;
  });
}

function pluralForm(locale: string, message: PluralMessage, count: number): string {
  if (count === 0 && message.zero !== undefined) return message.zero;
  return message[formattersOf(locale).plural.select(count)] ?? message.other;
}

function formattersOf(locale: string): { readonly number: Intl.NumberFormat; readonly plural: Intl.PluralRules } {
  const known = formatters.get(locale) ?? { number: new Intl.NumberFormat(locale), plural: new Intl.PluralRules(locale) };
  formatters.set(locale, known);
  return known;
}
