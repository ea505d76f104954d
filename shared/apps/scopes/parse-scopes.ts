// Reads scopes from text or JSON and writes their normal form. What is not known is refused: a scope that a later version understands
// otherwise must not be granted by this one.
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, parseAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount, parseAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_USERNAME_CHARS, MIN_USERNAME_CHARS } from "#shared/protocol/primitives/limits.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";
import { isContractId, isMethodName } from "#shared/protocol/transactions/contracts.ts";
import { isHex } from "#shared/util/bytes.ts";
import { MAX_GRANT_CHARS, MAX_MESSAGE_RATE, MAX_RECIPIENTS, MAX_SCOPE_CHARS, MAX_SCOPE_METHODS, MAX_SCOPES } from "../app-limits.ts";
import {
  ASKS,
  isSpending,
  PERIODS_MS,
  type Period,
  type PeriodTotal,
  type RecipientText,
  type Scope,
  type ScopeName,
  type SpendingLimits,
} from "./scopes.ts";

/** A scope as a program writes it: text, or an object of the same keys with lists as lists. */
export type ScopeInput = string | Readonly<Record<string, string | readonly string[]>>;

/** Keys of each scope with their values as texts, in their order in the normal form. */
const KEYS: Readonly<Record<ScopeName, readonly string[]>> = {
  read: [],
  wallet: ["labels"],
  submit: [],
  invoices: [],
  pay: ["each", "total", "to", "ask"],
  call: ["contract", "methods", "each", "total", "ask"],
  "contacts.read": [],
  "messages.read": ["in"],
  "messages.send": ["to", "rate"],
};
const NAMES = Object.keys(KEYS) as readonly ScopeName[];

const VALUE = /^[A-Za-z0-9@._|/ -]+$/;
const USERNAME = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

type Values = ReadonlyMap<string, string>;

/**
 * The scopes of a grant, in the order of their names. What strangers write must not spend: beside `messages.read` every scope that spends
 * always asks.
 * @throws CodedError BAD_REQUEST naming the scope.
 */
export function parseScopes(inputs: readonly ScopeInput[]): readonly Scope[] {
  if (inputs.length === 0 || inputs.length > MAX_SCOPES) throw invalid("scope", `are 1 to ${MAX_SCOPES}`);
  const parsed = inputs.map((input) => parseScope(typeof input === "string" ? input : textOf(input)));
  const readsMessages = parsed.some(({ name }) => name === "messages.read");
  const scopes = parsed.map((scope): Scope => (readsMessages && isSpending(scope) ? { ...scope, ask: "always" } : scope)).toSorted(compare);
  const places = scopes.map(placeOf);
  const repeated = places.find((place, index) => places.indexOf(place) !== index);
  if (repeated !== undefined) throw invalid(repeated, "is there twice");
  if (formatScopes(scopes).join(" ").length > MAX_GRANT_CHARS) throw invalid("grant", `is longer than ${MAX_GRANT_CHARS} characters`);
  return scopes;
}

/** The normal form of scopes, a text each. */
export function formatScopes(scopes: readonly Scope[]): readonly string[] {
  return scopes.map(formatScope);
}

/** The normal form of one scope. */
export function formatScope(scope: Scope): string {
  const pairs = KEYS[scope.name].flatMap((key) => {
    const value = valueText(scope, key);
    return value === "" ? [] : [`${key}=${value}`];
  });
  return pairs.length === 0 ? scope.name : `${scope.name}:${pairs.join(",")}`;
}

/** `2T`, `0.001T`. */
function amountText(amountUt: AmountUt): string {
  return formatAmount(amountUt).replace(" ", "");
}

function valueText(scope: Scope, key: string): string {
  const value: unknown = Object.entries(scope).find(([name]) => name === key)?.[1];
  if (key === "labels") return value === true ? "yes" : "";
  if (key === "each") return amountText(value as AmountUt);
  if (key === "total") return `${amountText((value as PeriodTotal).amountUt)}/${(value as PeriodTotal).period}`;
  if (key === "rate") return `${String(value)}/day`;
  if (Array.isArray(value)) return (value as readonly string[]).map((item) => (isHex(item, 32) ? formatAddress(item) : item)).join("|");
  return String(value);
}

function parseScope(text: string): Scope {
  if (text.length > MAX_SCOPE_CHARS) throw invalid("scope", `has at most ${MAX_SCOPE_CHARS} characters`);
  const colon = text.indexOf(":");
  const written = colon === -1 ? text : text.slice(0, colon);
  const name = NAMES.find((known) => known === written);
  if (name === undefined) throw invalid(written.slice(0, 32), "is unknown");
  const values = readValues(name, colon === -1 ? undefined : text.slice(colon + 1));
  switch (name) {
    case "read":
    case "submit":
    case "invoices":
    case "contacts.read":
      return { name };
    case "wallet":
      return { name, labels: wordOf(name, values.get("labels") ?? "no", ["yes", "no"]) === "yes" };
    case "pay":
      return { name, ...limitsOf(name, values), to: recipientsOf(name, values) };
    case "call":
      return { name, ...limitsOf(name, values), contract: contractOf(name, values), methods: methodsOf(name, values) };
    case "messages.read":
      return { name, in: wordOf(name, values.get("in") ?? "chosen", ["chosen"]) };
    case "messages.send":
      return { name, to: wordOf(name, required(name, values, "to"), ["chosen", "replies"]), rate: rateOf(name, values) };
    default:
      return name satisfies never;
  }
}

function readValues(name: ScopeName, text: string | undefined): Values {
  const values = new Map<string, string>();
  if (text === undefined) return values;
  for (const pair of text.split(",")) {
    const equals = pair.indexOf("=");
    const key = pair.slice(0, Math.max(equals, 0));
    const value = pair.slice(equals + 1);
    if (!KEYS[name].includes(key)) throw invalid(name, `has no "${(key === "" ? pair : key).slice(0, 32)}"`);
    if (values.has(key)) throw invalid(name, `has "${key}" twice`);
    if (!VALUE.test(value)) throw invalid(name, `has no value that can be read for "${key}"`);
    values.set(key, value);
  }
  return values;
}

/** The text of a JSON scope. A separator within a value would be another scope. */
function textOf(input: Exclude<ScopeInput, string>): string {
  const { name, ...others } = input;
  if (typeof name !== "string" || !/^[a-z.]{1,32}$/.test(name)) throw invalid("scope", "has no name");
  const pairs = Object.entries(others).map(([key, value]) => {
    const items = typeof value === "string" ? [value] : value;
    if (
      !/^[a-z]{1,32}$/.test(key) ||
      items.some((item) => typeof item !== "string" || !VALUE.test(item) || (typeof value !== "string" && item.includes("|")))
    )
      throw invalid(name, `has no value that can be read for "${key.slice(0, 32)}"`);
    return `${key}=${items.join("|")}`;
  });
  return pairs.length === 0 ? name : `${name}:${pairs.join(",")}`;
}

function limitsOf(name: ScopeName, values: Values): SpendingLimits {
  const each = amountOf(name, required(name, values, "each"));
  const total = totalOf(name, required(name, values, "total"));
  if (each > total.amountUt) throw invalid(name, 'has an "each" above its "total"');
  return { each, total, ask: wordOf(name, values.get("ask") ?? "over", ASKS) };
}

function totalOf(name: ScopeName, text: string): PeriodTotal {
  const [amount = "", period = "", ...others] = text.split("/");
  if (others.length > 0 || !Object.hasOwn(PERIODS_MS, period)) throw invalid(name, '"total" is an amount and a period, as 10T/day');
  return { amountUt: amountOf(name, amount), period: period as Period };
}

function amountOf(name: ScopeName, text: string): AmountUt {
  const amountUt = parseAmount(text);
  if (amountUt === 0) throw invalid(name, "has an amount of 0");
  return amountUt;
}

function recipientsOf(name: ScopeName, values: Values): readonly RecipientText[] | "any" {
  const text = required(name, values, "to");
  if (text === "any") return text;
  return [...new Set(listOf(name, text, MAX_RECIPIENTS).map((item) => recipientOf(name, item)))].toSorted();
}

function recipientOf(name: ScopeName, item: string): RecipientText {
  const lower = item.toLowerCase();
  const username = lower.startsWith("@") ? lower.slice(1) : "";
  if (username.length >= MIN_USERNAME_CHARS && username.length <= MAX_USERNAME_CHARS && USERNAME.test(username)) return `@${username}`;
  const key = isHex(lower, 32) ? lower : parseAddress(lower);
  if (key === undefined || !isAcceptablePublicKey(key)) throw invalid(name, `"${item.slice(0, 80)}" is no address, key or @name`);
  return key;
}

function contractOf(name: ScopeName, values: Values): string {
  const contract = required(name, values, "contract").toLowerCase();
  if (!isContractId(contract)) throw invalid(name, '"contract" is 16 hex characters');
  return contract;
}

function methodsOf(name: ScopeName, values: Values): readonly string[] {
  const methods = listOf(name, required(name, values, "methods"), MAX_SCOPE_METHODS);
  if (!methods.every(isMethodName)) throw invalid(name, "names a method that is none");
  return methods;
}

function listOf(name: ScopeName, text: string, max: number): readonly string[] {
  const items = [...new Set(text.split("|"))].toSorted();
  if (items.length > max) throw invalid(name, `lists more than ${max}`);
  return items;
}

function rateOf(name: ScopeName, values: Values): number {
  const match = /^([1-9]\d{0,3})\/day$/.exec(required(name, values, "rate"));
  const rate = Number(match?.[1] ?? 0);
  if (rate < 1 || rate > MAX_MESSAGE_RATE) throw invalid(name, `"rate" is 1/day to ${MAX_MESSAGE_RATE}/day`);
  return rate;
}

function wordOf<const W extends readonly string[]>(name: ScopeName, value: string, words: W): W[number] {
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalid(name, `"${value.slice(0, 32)}" is none of ${words.join(", ")}`);
  return word;
}

function required(name: ScopeName, values: Values, key: string): string {
  const value = values.get(key);
  if (value === undefined) throw invalid(name, `needs "${key}"`);
  return value;
}

function placeOf(scope: Scope): string {
  return scope.name === "call" ? `call ${scope.contract}` : scope.name;
}

function compare(a: Scope, b: Scope): number {
  return NAMES.indexOf(a.name) - NAMES.indexOf(b.name) || (placeOf(a) < placeOf(b) ? -1 : 1);
}

function invalid(scope: string, rule: string): CodedError {
  return new CodedError("BAD_REQUEST", `scope ${scope}: ${rule}`, { details: { field: "grant" } });
}
