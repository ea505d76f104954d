// What is here of own accounts, in the words of the interface.
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { Output } from "#shared/api/api.ts";

type KeptAccount = Output<"getKeptHistory">["accounts"][number];

/** Accounts of the configuration, and those that programs named. */
export function keptAccounts({ own, explorer, blocks }: ChainDatabase, configured: readonly string[]): KeptAccount[] {
  const named = new Map(own.all().map((account) => [account.publicKey, account]));
  return [...new Set([...configured, ...named.keys()])].map((publicKey) => {
    const isWhole = explorer.hasWholeHistory(publicKey);
    const from = isWhole
      ? { fromHeight: 0, fromMs: blocks.summary(0)?.timeMs ?? 0 }
      : (named.get(publicKey) ?? explorer.keptFrom(publicKey));
    return {
      pub_key: publicKey,
      complete: isWhole,
      from_height: from.fromHeight,
      from_time: new Date(from.fromMs).toISOString(),
      kept: explorer.keptCount(publicKey),
    };
  });
}
