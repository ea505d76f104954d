// Escrow deals of an account, found in the lines of the escrow contract and read from its state.
import { useQueries } from "@tanstack/react-query";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { type ContractLines, useContractLines } from "#renderer/lib/node/lists/use-contract-lines.ts";
import { type Older, useOlder } from "#renderer/lib/node/lists/use-older.ts";
import { query } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import { nearestFirst } from "#renderer/lib/people/contacts/nearest-first.ts";
import { useContactKeys } from "#renderer/lib/people/contacts/use-is-contact.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, fromUtf8 } from "#shared/util/bytes.ts";
import { useFound } from "../found/found-store.ts";

/** Deals that are read at once, and with each search for older ones: own ones, and disputed ones. */
const MAX_DEALS = 50;
export const ESCROW = nativeContractId("escrow");

export type DealState = "active" | "disputed" | "released" | "refunded";
const STATES: Readonly<Record<string, DealState>> = { a: "active", d: "disputed", r: "released", f: "refunded" };

/** What is fixed when a deal is opened. */
export interface DealTerms {
  readonly id: string;
  readonly buyer: PublicKeyHex;
  readonly seller: PublicKeyHex;
  /** Undefined where no one was named. */
  readonly arbiter: PublicKeyHex | undefined;
  readonly amountUt: AmountUt;
  /** Unix seconds. */
  readonly deadline: number;
}

export interface Deal extends DealTerms {
  readonly state: DealState;
}

/**
 * Ids of deals in lines in which an account has a part, and of disputed ones, whose arbiter lines do not name: those that the account opened,
 * or contacts opened or disputed, before those of strangers, and the newest first.
 */
export function dealIdsIn(
  lines: ContractLines["lines"],
  account: PublicKeyHex,
  contacts: ReadonlySet<PublicKeyHex>,
): { readonly own: readonly string[]; readonly disputed: readonly string[] } {
  const own = new Map<string, PublicKeyHex>();
  const disputed = new Map<string, PublicKeyHex>();
  for (const [word, id = "", by = "", seller] of lines) {
    if (word === "open" && (by === account || seller === account)) own.set(id, by);
    if (word === "dispute") disputed.set(id, by);
  }
  const idsOf = (deals: readonly (readonly [string, PublicKeyHex])[]): readonly string[] =>
    nearestFirst(deals, ([, by]) => by, { me: account, contacts }).map(([id]) => id);
  return { own: idsOf([...own]), disputed: idsOf([...disputed].filter(([id]) => !own.has(id))) };
}

/** The account's deals, open ones first. */
export function useDeals(account: PublicKeyHex): {
  readonly deals: readonly Deal[];
  readonly isLoading: boolean;
  readonly source: ContractLines;
  readonly older: Older;
} {
  const { client } = useNode();
  const contacts = useContactKeys();
  const source = useContractLines("escrow");
  const { ids: found } = useFound("deals");
  const { own, disputed } = dealIdsIn(source.lines, account, contacts);
  const { most, older } = useOlder(source.query, Math.max(own.length, disputed.length), MAX_DEALS);
  const ids = [...new Set([...found, ...own.slice(0, most), ...disputed.slice(0, most)])];
  const states = useQueries({
    queries: ids.map((id) => query([...queryKeys.contractState(ESCROW, `e:${id}:x`), "deal"], (call) => readState(client, id, call))),
  });
  const terms = useQueries({
    // Terms never change, so that no push makes them be read again; one that was just opened has none before its block.
    queries: ids.map((id, index) => ({
      ...query(["escrow-terms", id], (call) => readTerms(client, id, call)),
      staleTime: Number.POSITIVE_INFINITY,
      enabled: (states[index]?.data ?? null) !== null,
    })),
  });
  const deals = ids.flatMap((id, index): Deal[] => {
    const [fixed, state] = [terms[index]?.data, states[index]?.data];
    if (fixed === undefined || fixed === null || state === undefined || state === null) return [];
    const hasPart = [fixed.buyer, fixed.seller, fixed.arbiter].includes(account);
    return hasPart || found.includes(id) ? [{ ...fixed, state }] : [];
  });
  const isLoading = source.query.isPending || [...terms, ...states].some((read) => read.isLoading);
  return { deals: deals.toSorted((a, b) => Number(isSettled(a)) - Number(isSettled(b))), isLoading, source, older };
}

/** True once a deal has paid. */
export function isSettled({ state }: Pick<Deal, "state">): boolean {
  return state === "released" || state === "refunded";
}

/** State of a deal; null for an id that no deal has. */
export async function readState(client: NodeClient, id: string, call: CallOptions): Promise<DealState | null> {
  const letter = await readText(client, `e:${id}:x`, call);
  return letter === undefined ? null : (STATES[letter] ?? null);
}

async function readTerms(client: NodeClient, id: string, call: CallOptions): Promise<DealTerms | null> {
  const [buyer, seller, arbiter, amountUt, deadline] = await Promise.all([
    readText(client, `e:${id}:b`, call),
    readText(client, `e:${id}:s`, call),
    readText(client, `e:${id}:m`, call),
    readNumber(client, `e:${id}:v`, call),
    readNumber(client, `e:${id}:t`, call),
  ]);
  if (buyer === undefined || seller === undefined) return null;
  return { id, buyer, seller, arbiter: arbiter === "" ? undefined : arbiter, amountUt, deadline };
}

async function readText(client: NodeClient, key: string, call: CallOptions): Promise<string | undefined> {
  const { value_hex: hex } = await client.getContractState({ contractID: ESCROW, key }, call);
  return hex === null ? undefined : fromUtf8(fromHex(hex));
}

async function readNumber(client: NodeClient, key: string, call: CallOptions): Promise<number> {
  const { value_u64: value } = await client.getContractState({ contractID: ESCROW, key }, call);
  return Number(value ?? 0);
}
