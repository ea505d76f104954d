// Finds what a searched text stands for. 64 hex digits may be a transaction, a block or an account: the node is asked for each.

import { type Jump, parseJump } from "#renderer/lib/commands/parse-jump.ts";
import { unlessUnknown } from "#renderer/lib/node/queries.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";

/** Newest blocks whose hashes are compared: the node finds blocks by height only. */
export const SEARCHED_BLOCKS = 100;

/**
 * - `found`: one target.
 * - `malformed`: no form that anything on the chain has.
 * - `mistyped`: an address with a wrong or missing character.
 * - `name`: a name, which only the inbox and the contacts know.
 * - `nothing`: a fitting form, and nothing under it; `account` is set where the text may still be a key that was never used.
 */
export type Finding =
  | { readonly kind: "found"; readonly target: Exclude<Jump, { readonly kind: "name" }> }
  | { readonly kind: "malformed" | "mistyped" | "name" }
  | { readonly kind: "nothing"; readonly account: PublicKeyHex | undefined };

type Asked = Pick<NodeClient, "getTransaction" | "listBlocks" | "getAddress">;

/** What a text stands for. */
export async function findOnChain(client: Asked, text: string, call: CallOptions = {}): Promise<Finding> {
  if (parseRecipient(text).kind === "checksum") return { kind: "mistyped" };
  const jumps = parseJump(text);
  const [target] = jumps;
  if (target === undefined) return { kind: "malformed" };
  if (target.kind === "name") return { kind: "name" };
  return target.kind === "account" && jumps.length > 1 ? findHex(client, target.publicKey, call) : { kind: "found", target };
}

async function findHex(client: Asked, hex: string, call: CallOptions): Promise<Finding> {
  if ((await unlessUnknown(client.getTransaction({ txid: hex }, call))) !== undefined) {
    return { kind: "found", target: { kind: "transaction", id: hex } };
  }
  const block = (await client.listBlocks({ limit: SEARCHED_BLOCKS }, call)).find(({ hash }) => hash === hex);
  if (block !== undefined) return { kind: "found", target: { kind: "block", height: block.index } };
  const account = await unlessUnknown(client.getAddress({ addr: hex, limit: 1 }, call));
  if (account !== undefined && (account.tx_count > 0 || account.balance_ut > 0)) {
    return { kind: "found", target: { kind: "account", publicKey: hex } };
  }
  return { kind: "nothing", account: hex };
}
