// What a program may be allowed. A scope is written `name[:key=value[,…]]`, lists by `|`; JSON has the same keys. There is no scope for
// devices, keys, validators, channels, decisions about contacts or settings, and none for everything.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";

/** Periods of a total, ms. A month has 30 days. */
export const PERIODS_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 } as const;

export type Period = keyof typeof PERIODS_MS;

/** So much in any period of this length. */
export interface PeriodTotal {
  readonly amountUt: AmountUt;
  readonly period: Period;
}

/** When the person is asked: above a limit, always, or never, so that what is above a limit is refused. */
export const ASKS = ["over", "always", "never"] as const;
export type Ask = (typeof ASKS)[number];

/** What a scope that spends has in common; amounts hold the payment, its fee and the most gas. */
export interface SpendingLimits {
  /** Most of one transaction. */
  readonly each: AmountUt;
  readonly total: PeriodTotal;
  readonly ask: Ask;
}

/** A key, or a name with `@` before it that is not resolved yet. */
export type RecipientText = PublicKeyHex | `@${string}`;

/** Pay. */
export interface PayScope extends SpendingLimits {
  readonly name: "pay";
  readonly to: readonly RecipientText[] | "any";
}

/** Call methods of one contract. */
export interface CallScope extends SpendingLimits {
  readonly name: "call";
  readonly contract: ContractId;
  readonly methods: readonly string[];
}

/** One scope. */
export type Scope =
  /** The public chain, and the connection's own name. */
  | { readonly name: "read" }
  /** Address, balance and history; with the person's own labels. */
  | { readonly name: "wallet"; readonly labels: boolean }
  /** Submit transactions that the program itself signed. */
  | { readonly name: "submit" }
  /** Invoices of its own. */
  | { readonly name: "invoices" }
  | PayScope
  | CallScope
  /** The contacts that the person chose. */
  | { readonly name: "contacts.read" }
  /** Messages that arrive from now on in chosen conversations. */
  | { readonly name: "messages.read"; readonly in: "chosen" }
  /** Write to chosen people, or only to where a message came from; so many a day. */
  | { readonly name: "messages.send"; readonly to: "chosen" | "replies"; readonly rate: number };

export type ScopeName = Scope["name"];

/** A scope that spends. */
export type SpendingScope = PayScope | CallScope;

/** True for a scope that spends. */
export function isSpending(scope: Scope): scope is SpendingScope {
  return scope.name === "pay" || scope.name === "call";
}

/** Scopes that the person gives for the password only. */
export function needsPassword(scope: Scope): boolean {
  return isSpending(scope) || scope.name === "messages.read" || scope.name === "messages.send";
}

/** The only scope of that name, where it can be there once. */
export function findScope<N extends Exclude<ScopeName, "call">>(
  scopes: readonly Scope[],
  name: N,
): Extract<Scope, { name: N }> | undefined {
  return scopes.find((scope): scope is Extract<Scope, { name: N }> => scope.name === name);
}

/** The scope for a contract. */
export function findCallScope(scopes: readonly Scope[], contract: ContractId): CallScope | undefined {
  return scopes.find((scope): scope is CallScope => scope.name === "call" && scope.contract === contract);
}
