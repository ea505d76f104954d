// One scope of a request, with what can be narrowed of it. The keyring refuses what is wider than what was asked for.
import type { ResolvedName } from "#shared/apps/scopes/narrow-scopes.ts";
import type { CallScope, PayScope, Scope, SpendingLimits } from "#shared/apps/scopes/scopes.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { localAmount, readLocalAmount } from "#shared/text/local-amount.ts";
import { element, group } from "../window/elements.ts";
import type { ApprovalWords } from "./approval-words.ts";
import { type Field, line, several, tick } from "./fields.ts";

/** A field that is not filled in as it must be, in words. */
export class Unusable extends Error {}

/** A scope that the person grants, narrowed; undefined when it is taken away. */
export type ScopeField = Field<Scope | undefined>;

export function scopeField(scope: Scope, names: readonly ResolvedName[], words: ApprovalWords): ScopeField {
  const wanted = tick(words.scopes[scope.name], true);
  const { parts, read } = partsOf(scope, names, words);
  const details = group("div", "details", ...parts);
  wanted.box.addEventListener("change", () => {
    details.hidden = !wanted.box.checked;
  });
  return {
    view: group("section", "scope", wanted.view, ...(parts.length === 0 ? [] : [details])),
    value: () => (wanted.value() ? read() : undefined),
  };
}

/** What can be narrowed of a scope. */
interface Parts {
  readonly parts: readonly HTMLElement[];
  readonly read: () => Scope;
}

function partsOf(scope: Scope, names: readonly ResolvedName[], words: ApprovalWords): Parts {
  switch (scope.name) {
    case "wallet":
      return scope.labels ? labelParts(words) : plain(scope);
    case "pay":
      return payParts(scope, names, words);
    case "call":
      return callParts(scope, words);
    case "messages.send":
      return sendParts(scope, words);
    default:
      return plain(scope);
  }
}

function plain(scope: Scope): Parts {
  return { parts: [], read: () => scope };
}

function labelParts(words: ApprovalWords): Parts {
  const labels = tick(words.labels, true);
  return { parts: [labels.view], read: () => ({ name: "wallet", labels: labels.value() }) };
}

function payParts(scope: PayScope, names: readonly ResolvedName[], words: ApprovalWords): Parts {
  const limits = limitParts(scope, words);
  const { to: asked } = scope;
  if (asked === "any") {
    return {
      parts: [element("p", words.anyRecipient, "strong"), ...limits.parts],
      read: () => ({ ...scope, ...limits.read() }),
    };
  }
  const choices = asked.map((key) => ({ id: key, text: recipientText(key, names) }));
  const to = several(words.recipients, choices, true);
  return {
    parts: [to.view, ...limits.parts],
    read: () => ({ ...scope, ...limits.read(), to: chosenOf(asked, to.value(), words) }),
  };
}

function callParts(scope: CallScope, words: ApprovalWords): Parts {
  const limits = limitParts(scope, words);
  const methods = several(
    words.methods,
    scope.methods.map((method) => ({ id: method, text: method })),
    true,
  );
  return {
    parts: [element("p", `${words.contract} ${scope.contract}`), methods.view, ...limits.parts],
    read: () => ({ ...scope, ...limits.read(), methods: chosenOf(scope.methods, methods.value(), words) }),
  };
}

function sendParts(scope: Extract<Scope, { readonly name: "messages.send" }>, words: ApprovalWords): Parts {
  const rate = line(words.rate, String(scope.rate), "number");
  return {
    parts: [...(scope.to === "replies" ? [element("p", words.repliesOnly)] : []), rate.view],
    read: (): Scope => {
      const value = Number(rate.value());
      if (!Number.isSafeInteger(value) || value < 1 || value > scope.rate) throw new Unusable(words.problems.rate);
      return { ...scope, rate: value };
    },
  };
}

/** Fields of an amount at a time and one for the period. */
function limitParts(
  scope: SpendingLimits,
  words: ApprovalWords,
): { readonly parts: readonly HTMLElement[]; readonly read: () => SpendingLimits } {
  const { total, ask } = scope;
  const each = line(words.each, amountText(scope.each, words), "number");
  const all = line(words.total(words.periods[total.period]), amountText(total.amountUt, words), "number");
  const always = tick(words.askAlways, false);
  const note = { over: undefined, always: words.asksAlways, never: words.askNever }[ask];
  return {
    parts: [
      group("div", "pair", each.view, all.view),
      ...(note === undefined ? [] : [element("p", note)]),
      ...(ask === "always" ? [] : [always.view]),
    ],
    read: (): SpendingLimits => {
      const [eachUt, amountUt] = [readAmount(each, scope.each, words), readAmount(all, total.amountUt, words)];
      if (eachUt > amountUt) throw new Unusable(words.problems.amount);
      return { each: eachUt, total: { amountUt, period: total.period }, ask: always.value() ? "always" : ask };
    },
  };
}

function readAmount(field: Field<string>, most: AmountUt, { language, problems }: ApprovalWords): AmountUt {
  const amountUt = readLocalAmount(field.value(), language);
  if (amountUt === undefined || amountUt === 0 || amountUt > most) throw new Unusable(problems.amount);
  return amountUt;
}

function chosenOf<T extends string>(asked: readonly T[], chosen: readonly string[], { problems }: ApprovalWords): readonly T[] {
  const kept = asked.filter((item) => chosen.includes(item));
  if (kept.length === 0) throw new Unusable(problems.nothingChosen);
  return kept;
}

function recipientText(recipient: string, names: readonly ResolvedName[]): string {
  const name = names.find(({ key }) => key === recipient)?.name;
  const address = formatAddress(recipient);
  return name === undefined ? address : `${name} – ${address}`;
}

function amountText(amountUt: AmountUt, { language }: ApprovalWords): string {
  return localAmount(amountUt, language).replace(" T", "");
}
