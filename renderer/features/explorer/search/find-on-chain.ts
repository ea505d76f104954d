// Finds what a searched text refers to: the node is asked once, and one hit is gone to at once.
import { type Jump, parseJump } from "#renderer/lib/commands/parse-jump.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/**
 * - `found`: one target.
 * - `several`: more than one; the person chooses.
 * - `mistyped`: an address with a wrong or missing character.
 * - `nothing`: nothing under it; `account` is set where the text may still be a key that was never used.
 */
export type Finding =
  | { readonly kind: "found"; readonly target: Exclude<Jump, { readonly kind: "name" }> }
  | { readonly kind: "several"; readonly result: SearchResult }
  | { readonly kind: "mistyped" }
  | { readonly kind: "nothing"; readonly account: PublicKeyHex | undefined };

/** What a text refers to. An address is valid before it was ever used, so it needs no hit. */
export async function findOnChain(client: Pick<NodeClient, "search">, text: string, call: CallOptions = {}): Promise<Finding> {
  if (parseRecipient(text).kind === "checksum") return { kind: "mistyped" };
  const jumps = parseJump(text);
  const [target] = jumps;
  if (target?.kind === "account" && jumps.length === 1) return { kind: "found", target };
  const result = await client.search({ q: text, limit: LIMIT }, call);
  const only = result.count === 1 ? onlyHit(result) : undefined;
  if (only !== undefined) return { kind: "found", target: only };
  if (result.count > 0) return { kind: "several", result };
  if (target?.kind === "block") return { kind: "found", target };
  return { kind: "nothing", account: target?.kind === "account" ? target.publicKey : undefined };
}

const LIMIT = 50;

/** The one block, transaction or account; other kinds of hits are shown in a list. */
function onlyHit({ blocks, transactions, accounts, usernames }: SearchResult): Exclude<Jump, { readonly kind: "name" }> | undefined {
  const [block, transaction] = [blocks[0], transactions[0]];
  if (block !== undefined) return { kind: "block", height: block.index };
  if (transaction !== undefined) return { kind: "transaction", id: transaction.id };
  const publicKey = accounts[0]?.pub_key ?? usernames[0]?.pub_key;
  return publicKey === undefined ? undefined : { kind: "account", publicKey };
}
