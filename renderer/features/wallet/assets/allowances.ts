// Allowances of tokens that an account gave and got, read from the lines of the token contract and checked in its state.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type ContractLines, useContractLines } from "#renderer/lib/node/lists/use-contract-lines.ts";
import { type Older, useOlder } from "#renderer/lib/node/lists/use-older.ts";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { nearestFirst } from "#renderer/lib/people/contacts/nearest-first.ts";
import { useContactKeys } from "#renderer/lib/people/contacts/use-is-contact.ts";
import type { Token } from "#shared/api/schemas/contracts.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Allowances that are looked up at once. */
const MAX_ALLOWANCES = 50;

/** What a spender may still send of an owner's tokens. */
export interface Allowance {
  readonly token: Token;
  readonly owner: PublicKeyHex;
  readonly spender: PublicKeyHex;
  readonly units: bigint;
}

/** Who approved whom. */
export interface Approval {
  readonly id: string;
  readonly owner: PublicKeyHex;
  readonly spender: PublicKeyHex;
}

/** Approvals in lines that an account gave or got, each once, newest first. */
export function approvalsOf(lines: ContractLines["lines"], account: PublicKeyHex): readonly Approval[] {
  const found = new Map<string, Approval>();
  for (const [word, id = "", owner = "", spender = ""] of lines)
    if (word === "approve" && (owner === account || spender === account)) found.set(`${id} ${owner} ${spender}`, { id, owner, spender });
  return [...found.values()];
}

/** The account's allowances that are not used up. */
export function useAllowances(account: PublicKeyHex): {
  readonly allowances: readonly Allowance[];
  readonly source: ContractLines;
  readonly older: Older;
} {
  const queries = useNetworkQueries();
  const contacts = useContactKeys();
  const source = useContractLines("tokens");
  // Anyone can approve anyone: what was given comes first, to be taken back.
  const all = nearestFirst(approvalsOf(source.lines, account), ({ owner }) => owner, { me: account, contacts });
  const { most, older } = useOlder(source.query, all.length, MAX_ALLOWANCES);
  const approvals = all.slice(0, most);
  const units = useQueries({ queries: approvals.map(({ id, owner, spender }) => queries.allowance(id, owner, spender)) });
  const ids = [...new Set(approvals.map(({ id }) => id))];
  const tokens = useQueries({ queries: ids.map((id) => queries.token(id)) });
  const known = new Map(tokens.flatMap(({ data }) => (data === undefined ? [] : [[data.token_id, data] as const])));
  const allowances = approvals.flatMap(({ id, owner, spender }, index): Allowance[] => {
    const [token, left] = [known.get(id), units[index]?.data ?? 0n];
    return token === undefined || left === 0n ? [] : [{ token, owner, spender, units: left }];
  });
  return { allowances, source, older };
}

/** The allowance of a spender, or undefined until it is known. */
export function useAllowance(approval: Approval | undefined): bigint | undefined {
  const queries = useNetworkQueries();
  const { id, owner, spender } = approval ?? { id: "", owner: "", spender: "" };
  const { data } = useQuery({ ...queries.allowance(id, owner, spender), enabled: approval !== undefined });
  return useMemo(() => (approval === undefined ? undefined : data), [approval, data]);
}
