// To which wallet the earnings of a node went at an old block. No root says so, but the history of the wallet does: it has the reward of the
// block as an entry, and the rolling hash over its entries is in the state. A peer claims the wallet and the part of its history; the entries
// that are here already lead from there to the hash.
import { historyHashAfter } from "#node/ledger/records/history.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import { UNVERIFIED_READ } from "#node/light/wire/light-requests.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { rewardHeight, rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { equalBytes, isHex } from "#shared/util/bytes.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";
import { withoutFailure } from "./backfill-peers.ts";
import type { BackfillThread } from "./backfill-thread.ts";

export interface ProvenWalletsDependencies {
  readonly requester: Pick<LightRequester, "ask" | "report">;
  /** Peers that may have an old block, the best first. */
  readonly having: (height: Height) => readonly PeerName[];
  readonly thread: Pick<BackfillThread, "call">;
}

/** Who proposed a block. */
export interface RewardedBlock {
  readonly proposer: PublicKeyHex;
  readonly height: Height;
}

/** The wallet that got the reward of a block. @throws CodedError UPSTREAM_FAILED where no peer proves it */
export async function provenWallet(
  dependencies: ProvenWalletsDependencies,
  block: RewardedBlock,
  signal: AbortSignal,
): Promise<PublicKeyHex> {
  const peers = dependencies.having(block.height).slice(0, BACKFILL_LIMITS.peersPerRequest);
  const tried = new Set<PublicKeyHex>();
  for (const peer of peers) {
    const claimed = await claimedWallet(dependencies, peer, block, signal);
    for (const account of new Set([claimed ?? block.proposer, block.proposer])) {
      if (tried.has(account)) continue;
      const has = await hasReward(dependencies, { peer, account, height: block.height }, signal);
      if (has === true) return account;
      if (has === false) tried.add(account);
    }
  }
  throw new CodedError("UPSTREAM_FAILED", `No connected node proves who got the reward of block ${block.height}`);
}

async function claimedWallet(
  { requester }: ProvenWalletsDependencies,
  peer: PeerName,
  { height }: RewardedBlock,
  signal: AbortSignal,
): Promise<PublicKeyHex | undefined> {
  const input = JSON.stringify({ txid: rewardId(height) });
  const response = await withoutFailure(
    requester.ask<typeof UNVERIFIED_READ>(peer, { kind: UNVERIFIED_READ, operation: "getTransaction", input }, signal),
  );
  if (response?.kind !== UNVERIFIED_READ) return undefined;
  return walletOf(response.json);
}

function walletOf(json: string): PublicKeyHex | undefined {
  try {
    const { to } = JSON.parse(json) as { readonly to?: unknown };
    return typeof to === "string" && isHex(to, 32) ? to : undefined;
  } catch {
    return undefined;
  }
}

/** A wallet, and who is asked for its history. */
interface Claim {
  readonly peer: PeerName;
  readonly account: PublicKeyHex;
  readonly height: Height;
}

/** Whether an account has the reward of a block in its history; undefined where the peer does not prove either. */
async function hasReward(
  { requester, thread }: ProvenWalletsDependencies,
  { peer, account, height }: Claim,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const wanted = rewardId(height);
  let last = await thread.call("newestBelow", account);
  let after: Uint8Array | undefined;
  for (let left = BACKFILL_LIMITS.proofRequests; left > 0 && last > 0; left -= 1) {
    const count = Math.min(BACKFILL_LIMITS.proofEntries, last);
    const response = await withoutFailure(requester.ask<"history">(peer, { kind: "history", account, last, count }, signal));
    if (response?.kind !== "history") return undefined;
    const { before, entryIds } = response;
    const isTrue =
      entryIds.length === count &&
      (after === undefined
        ? await thread.call("isProven", { account, before, entryIds })
        : equalBytes(historyHashAfter(before, entryIds, nativeSha256), after));
    if (!isTrue) {
      requester.report(peer, "lie");
      return undefined;
    }
    if (entryIds.includes(wanted)) return true;
    // Rewards stand in the order of their blocks.
    if (entryIds.some((id) => (rewardHeight(id) ?? height) < height)) return false;
    [after, last] = [before, last - count];
  }
  return last > 0 ? undefined : false;
}
