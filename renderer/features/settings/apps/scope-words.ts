// What a scope allows, in a sentence.
import { amountText } from "#renderer/lib/format/amount.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { parseScopes } from "#shared/apps/scopes/parse-scopes.ts";
import { isSpending, type PayScope, type Scope, type SpendingLimits } from "#shared/apps/scopes/scopes.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";

/** Names of people by their keys. */
export type Names = ReadonlyMap<PublicKeyHex, string>;

/** A scope as it is listed. */
export interface ScopeLine {
  /** Its normal form: what the program itself sees. */
  readonly text: string;
  readonly words: string;
  /** Where money can leave the wallet. */
  readonly spends: boolean;
}

/** Sentences of scopes in their normal form; one of a later version is said to be unknown. */
export function scopeLines(t: Translate, scopes: readonly string[], names: Names): readonly ScopeLine[] {
  return scopes.map((text) => {
    const scope = readScope(text);
    return {
      text,
      words: scope === undefined ? t("apps.scope.unknown", { text }) : scopeWords(t, scope, names),
      spends: scope !== undefined && isSpending(scope),
    };
  });
}

/** Keys of the people whom scopes name as recipients. */
export function recipientsOf(scopes: readonly string[]): readonly PublicKeyHex[] {
  return scopes.flatMap((text) => {
    const scope = readScope(text);
    return scope?.name === "pay" && scope.to !== "any" ? scope.to.filter((recipient) => isHex(recipient, 32)) : [];
  });
}

/** The total of a scope that spends, for what is left of it. */
export function totalOf(t: Translate, text: string): { readonly name: "pay" | "call"; readonly total: string } | undefined {
  const scope = readScope(text);
  return scope !== undefined && isSpending(scope) ? { name: scope.name, total: totalWords(t, scope) } : undefined;
}

function readScope(text: string): Scope | undefined {
  try {
    return parseScopes([text])[0];
  } catch {
    return undefined;
  }
}

function scopeWords(t: Translate, scope: Scope, names: Names): string {
  switch (scope.name) {
    case "read":
      return t("apps.scope.read");
    case "wallet":
      return t(scope.labels ? "apps.scope.walletLabels" : "apps.scope.wallet");
    case "submit":
      return t("apps.scope.submit");
    case "invoices":
      return t("apps.scope.invoices");
    case "pay":
      return t("apps.scope.pay", { to: recipientWords(t, scope, names), ...limitWords(t, scope) });
    case "call":
      return t("apps.scope.call", { methods: scope.methods.join(", "), contract: scope.contract, ...limitWords(t, scope) });
    case "contacts.read":
      return t("apps.scope.contacts");
    case "messages.read":
      return t("apps.scope.messagesRead");
    case "messages.send":
      return t(scope.to === "chosen" ? "apps.scope.messagesChosen" : "apps.scope.messagesReplies", { rate: scope.rate });
    default:
      return scope satisfies never;
  }
}

function limitWords(t: Translate, scope: SpendingLimits): { readonly each: string; readonly total: string; readonly ask: string } {
  return { each: amountText(t, scope.each), total: totalWords(t, scope), ask: t(`apps.ask.${scope.ask}`) };
}

function totalWords(t: Translate, { total }: SpendingLimits): string {
  return t(`apps.total.${total.period}`, { amount: amountText(t, total.amountUt) });
}

function recipientWords(t: Translate, { to }: PayScope, names: Names): string {
  if (to === "any") return t("apps.anyone");
  return to.map((recipient) => (isHex(recipient, 32) ? (names.get(recipient) ?? shorten(formatAddress(recipient))) : recipient)).join(", ");
}
