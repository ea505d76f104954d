// What is to be known of each payment of a batch before it is signed: whom the text means, and what speaks against paying. Pure.

import { usernameIn } from "#renderer/lib/people/names/username.ts";
import type { PaidPeople } from "#renderer/lib/people/paid-people.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import { checkRecipient } from "#renderer/lib/people/use-recipient-check.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { nameSkeleton } from "#shared/text/confusable-names.ts";
import type { LookAlike } from "#shared/text/look-alike.ts";
import type { RowProblem, TypedRow } from "./read-rows.ts";

/** Why a line cannot be paid as it stands. `looking`: its @name is being looked up. */
export type MarkedProblem = RowProblem | "amount" | "looking" | "unreachable" | "unknownName" | "ambiguousName" | "badAddress";

export interface MarkedRow extends TypedRow {
  readonly to: PublicKeyHex | undefined;
  readonly amountUt: AmountUt;
  readonly mark: MarkedProblem | undefined;
  /** Lines before that pay the same person. */
  readonly repeats: number;
  readonly isSelf: boolean;
  readonly isFirst: boolean;
  /** The address imitates a known one. */
  readonly lookAlike: LookAlike | undefined;
}

/** What is known of people. */
export interface KnownPeople {
  readonly account: PublicKeyHex;
  readonly paid: PaidPeople;
  /** Names of contacts, and of others to whom one gave a name, as they are shown. */
  readonly contacts: ReadonlyMap<PublicKeyHex, string>;
  /** Owners of @names; null for none, undefined while it is not known, "failed" where it could not be looked up. */
  readonly owners: ReadonlyMap<string, PublicKeyHex | null | "failed">;
}

/** The @names of rows, once each. */
export function usernamesOf(rows: readonly TypedRow[]): readonly string[] {
  return [...new Set(rows.map(({ recipient }) => usernameIn(recipient)).filter((name) => name !== undefined))];
}

export function markRows(rows: readonly TypedRow[], people: KnownPeople): readonly MarkedRow[] {
  const seen = new Map<PublicKeyHex, number>();
  const contacts = [...people.contacts.keys()];
  return rows.map((row) => {
    const found = recipientOf(row.recipient, people);
    const to = typeof found === "object" ? found.to : undefined;
    const amountUt = row.amount.kind === "ok" ? row.amount.amountUt : 0;
    const repeats = to === undefined ? 0 : (seen.get(to) ?? 0);
    if (to !== undefined) seen.set(to, repeats + 1);
    const isSelf = to === people.account;
    const check = to === undefined || isSelf ? undefined : checkRecipient(to, people.paid, contacts);
    const isFirst = check?.kind === "firstTime";
    const lookAlike = check?.kind === "firstTime" ? check.lookAlike : undefined;
    return { ...row, to, amountUt, mark: markOf(), repeats, isSelf, isFirst, lookAlike };

    function markOf(): MarkedProblem | undefined {
      if (row.problem !== undefined) return row.problem;
      if (typeof found === "string") return found;
      return row.amount.kind === "ok" ? undefined : "amount";
    }
  });
}

function recipientOf(text: string, { contacts, owners }: KnownPeople): { readonly to: PublicKeyHex } | MarkedProblem {
  const username = usernameIn(text);
  if (username !== undefined) {
    const owner = owners.get(username);
    if (owner === undefined) return "looking";
    if (owner === null) return "unknownName";
    return owner === "failed" ? "unreachable" : { to: owner };
  }
  const parsed = parseRecipient(text);
  if (parsed.kind === "account") return { to: parsed.request.to };
  if (parsed.kind !== "search") return "badAddress";
  if (text === "") return "unknownName";
  return contactOf(text, contacts);
}

/** Names that look the same are no way to tell people apart: then the address must be given. */
function contactOf(text: string, contacts: KnownPeople["contacts"]): { readonly to: PublicKeyHex } | MarkedProblem {
  const skeleton = nameSkeleton(text);
  const alike = [...contacts].filter(([, name]) => nameSkeleton(name) === skeleton);
  const [only] = alike;
  if (only === undefined) return "unknownName";
  if (alike.length > 1) return "ambiguousName";
  return only[1].toLowerCase() === text.toLowerCase() ? { to: only[0] } : "unknownName";
}
