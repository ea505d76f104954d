// The kinds of fields that payloads are made of, and reading a payload against them.
import { isAmount } from "#shared/protocol/primitives/amount.ts";
import { countCodePoints, isPrintable } from "#shared/protocol/primitives/printable.ts";
import { isAcceptableX25519Key } from "#shared/protocol/primitives/x25519-key.ts";
import { isHex, tryFromBase64, utf8 } from "#shared/util/bytes.ts";

/** One payload field: what it accepts, in words, and its normalised value or undefined. */
export interface FieldRule<V> {
  readonly isRequired: boolean;
  readonly words: string;
  read(value: unknown): V | undefined;
}

/** Rules of all fields of a payload. */
export type PayloadFields<P> = { readonly [K in keyof P]-?: FieldRule<Exclude<P[K], undefined>> };

/** A payload, or what is wrong with it in words that name the field. */
export type PayloadReading<P> = { readonly isOk: true; readonly payload: P } | { readonly isOk: false; readonly problem: string };

/** Reads a decoded payload object: unknown fields, missing ones and wrong values are refused; null is an optional field left out. */
export function readPayload<P>(
  raw: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, FieldRule<unknown>>>,
): PayloadReading<P> {
  const unknownField = Object.keys(raw).find((name) => !Object.hasOwn(fields, name));
  if (unknownField !== undefined) return { isOk: false, problem: `payload has the unknown field ${unknownField.slice(0, 40)}` };
  const payload: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(fields)) {
    if (!Object.hasOwn(raw, name)) {
      if (rule.isRequired) return { isOk: false, problem: `payload.${name} is required: ${rule.words}` };
      continue;
    }
    const value = rule.read(raw[name]);
    if (value === undefined && raw[name] === null && !rule.isRequired) continue;
    if (value === undefined) return { isOk: false, problem: `payload.${name} must be ${rule.words}` };
    payload[name] = value;
  }
  return { isOk: true, payload: payload as P };
}

/** The field, which may be left out. */
export function optional<V>(rule: FieldRule<V>): FieldRule<V> {
  return { ...rule, isRequired: false };
}

/** An X25519 key as the registry stores it; upper-case hex is accepted and normalised unless only lower case is. */
export function x25519KeyField(letters: "any case" | "lower case"): FieldRule<string> {
  return {
    isRequired: true,
    words: `an X25519 public key of 64 hex characters${letters === "lower case" ? " in lower case" : ""}, not of small order`,
    read: (value): string | undefined => {
      if (!isAcceptableX25519Key(value)) return undefined;
      const key = value.toLowerCase();
      return letters === "lower case" && key !== value ? undefined : key;
    },
  };
}

/** A name on one line: printable, counted in UTF-8 bytes. */
export function nameField(maxBytes: number): FieldRule<string> {
  return {
    isRequired: true,
    words: `printable text of at most ${maxBytes} bytes`,
    read: (value) => (typeof value === "string" && utf8(value).length <= maxBytes && isPrintable(value) ? value : undefined),
  };
}

/** Free text without unpaired surrogates, counted in UTF-8 bytes. */
export function textField(maxBytes: number): FieldRule<string> {
  return {
    isRequired: true,
    words: `text of at most ${maxBytes} bytes`,
    read: (value) => (typeof value === "string" && value.isWellFormed() && utf8(value).length <= maxBytes ? value : undefined),
  };
}

/** Free text without unpaired surrogates, counted in Unicode code points. */
export function charactersField(maxCharacters: number): FieldRule<string> {
  return {
    isRequired: true,
    words: `text of at most ${maxCharacters} characters`,
    read: (value) => (typeof value === "string" && value.isWellFormed() && countCodePoints(value) <= maxCharacters ? value : undefined),
  };
}

/** An integer between two bounds, both allowed. */
export function integerField(least: number, most: number): FieldRule<number> {
  return {
    isRequired: true,
    words: `an integer from ${least} to ${most}`,
    read: (value) => (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most ? value + 0 : undefined),
  };
}

/** An amount of µT. */
export function amountField(least = 0): FieldRule<number> {
  return {
    isRequired: true,
    words: `µT, an integer of at least ${least}`,
    read: (value) => (isAmount(value) && value >= least ? value : undefined),
  };
}

/** Bytes in hex, normalised to lower case. */
export function hexField(bytes: number, what = "bytes"): FieldRule<string> {
  return {
    isRequired: true,
    words: `${what} of ${bytes * 2} hex characters`,
    read: (value) => (isHex(value, bytes) ? value.toLowerCase() : undefined),
  };
}

/** An Ed25519 signature in base64. */
export function signatureField(): FieldRule<string> {
  return {
    isRequired: true,
    words: "a signature, base64 of 64 bytes",
    read: (value) => (typeof value === "string" && tryFromBase64(value)?.length === 64 ? value : undefined),
  };
}

/** A text that a check accepts. */
export function checkedField(words: string, accepts: (text: string) => boolean): FieldRule<string> {
  return { isRequired: true, words, read: (value) => (typeof value === "string" && accepts(value) ? value : undefined) };
}

/** One of some texts. */
export function choiceField<V extends string>(...choices: readonly V[]): FieldRule<V> {
  return { isRequired: true, words: `one of ${choices.join(", ")}`, read: (value) => choices.find((choice) => choice === value) };
}

/** The value of another field, or null. */
export function nullableField<V>(rule: FieldRule<V>): FieldRule<V | null> {
  return { ...rule, words: `${rule.words}, or null`, read: (value) => (value === null ? null : rule.read(value)) };
}

/** An object of fields; unknown ones are refused. */
export function objectField<P>(fields: PayloadFields<P>): FieldRule<P> {
  const parts = Object.entries<FieldRule<unknown>>(fields).map(([name, { words }]) => `${name} (${words})`);
  return {
    isRequired: true,
    words: `an object with ${parts.join(", ")}`,
    read: (value): P | undefined => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      const reading = readPayload<P>(value as Readonly<Record<string, unknown>>, fields);
      return reading.isOk ? reading.payload : undefined;
    },
  };
}

/** A list of items that another field accepts. */
export function listField<V>(item: FieldRule<V>, least: number, most: number): FieldRule<readonly V[]> {
  return {
    isRequired: true,
    words: `a list of ${least} to ${most}, each ${item.words}`,
    read: (value): readonly V[] | undefined => {
      if (!Array.isArray(value) || value.length < least || value.length > most) return undefined;
      const items = value.map((entry) => item.read(entry));
      return items.every((entry) => entry !== undefined) ? items : undefined;
    },
  };
}
