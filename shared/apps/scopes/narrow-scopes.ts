// What the person makes of a request: fixed keys for names, and the same or less than was asked for.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertNever } from "#shared/util/assert.ts";
import { formatScope } from "./parse-scopes.ts";
import { type Ask, findCallScope, findScope, type PayScope, type RecipientText, type Scope, type SpendingLimits } from "./scopes.ts";

/** A name of the chain, and whose it is now. */
export interface ResolvedName {
  /** With `@`. */
  readonly name: string;
  readonly key: PublicKeyHex;
}

/** The scopes with keys in place of names: who gets a name later gets no money by it. @throws CodedError BAD_REQUEST for an unknown name. */
export function fixRecipients(scopes: readonly Scope[], names: readonly ResolvedName[]): readonly Scope[] {
  const keyOf = (recipient: RecipientText): PublicKeyHex => {
    if (!recipient.startsWith("@")) return recipient;
    const key = names.find(({ name }) => name === recipient)?.key;
    if (key === undefined) throw new CodedError("BAD_REQUEST", `${recipient} is not registered`, { details: { field: "grant" } });
    return key;
  };
  return scopes.map((scope) =>
    scope.name === "pay" && scope.to !== "any" ? { ...scope, to: [...new Set(scope.to.map(keyOf))].toSorted() } : scope,
  );
}

/** @throws CodedError BAD_REQUEST when a scope allows more than was asked for: widening is a new request. */
export function requireNarrower(granted: readonly Scope[], requested: readonly Scope[]): void {
  const wider = granted.find((scope) => !isWithin(scope, requested));
  if (wider !== undefined)
    throw new CodedError("BAD_REQUEST", `${formatScope(wider)} is more than was asked for`, { details: { field: "grant" } });
}

function isWithin(scope: Scope, requested: readonly Scope[]): boolean {
  switch (scope.name) {
    case "read":
    case "submit":
    case "invoices":
    case "contacts.read":
    case "messages.read":
      return findScope(requested, scope.name) !== undefined;
    case "wallet": {
      const asked = findScope(requested, "wallet");
      return asked !== undefined && (asked.labels || !scope.labels);
    }
    case "pay": {
      const asked = findScope(requested, "pay");
      return asked !== undefined && isWithinLimits(scope, asked) && isWithinRecipients(scope, asked);
    }
    case "call": {
      const asked = findCallScope(requested, scope.contract);
      return asked !== undefined && isWithinLimits(scope, asked) && scope.methods.every((method) => asked.methods.includes(method));
    }
    case "messages.send": {
      const asked = findScope(requested, "messages.send");
      return asked !== undefined && asked.to === scope.to && scope.rate <= asked.rate;
    }
    default:
      return assertNever(scope);
  }
}

function isWithinLimits(scope: SpendingLimits, asked: SpendingLimits): boolean {
  const { each, total, ask } = scope;
  return (
    each <= asked.each && total.period === asked.total.period && total.amountUt <= asked.total.amountUt && isAtLeastAsStrict(ask, asked.ask)
  );
}

/** Above a limit nothing is paid without the person in either case; below one, only `always` asks. */
function isAtLeastAsStrict(ask: Ask, asked: Ask): boolean {
  return ask === "always" || asked !== "always";
}

function isWithinRecipients({ to }: PayScope, { to: asked }: PayScope): boolean {
  return asked === "any" || (to !== "any" && to.every((recipient) => asked.includes(recipient)));
}
