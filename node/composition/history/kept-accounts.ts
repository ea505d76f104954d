// What is here of own accounts, in the words of the interface.
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { Output } from "#shared/api/api.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { OlderReads } from "./own-history.ts";

interface Since {
  readonly fromHeight: Height;
  readonly fromMs: number;
}

/** Older entries may have come since an account was named. */
function lower(named: Since | undefined, kept: Since): Since {
  return named === undefined || kept.fromHeight < named.fromHeight ? kept : named;
}

type KeptAccount = Output<"getKeptHistory">["accounts"][number];

/** Accounts of the configuration, and those that programs named. */
export function keptAccounts({ own, explorer, blocks }: ChainDatabase, configured: readonly string[], older: OlderReads): KeptAccount[] {
  const named = new Map(own.all().map((account) => [account.publicKey, account]));
  return [...new Set([...configured, ...named.keys()])].map((publicKey) => {
    const isWhole = explorer.hasWholeHistory(publicKey);
    const from = isWhole
      ? { fromHeight: 0, fromMs: blocks.summary(0)?.timeMs ?? 0 }
      : lower(named.get(publicKey), explorer.keptFrom(publicKey));
    const missing = isWhole ? undefined : older(publicKey);
    return {
      pub_key: publicKey,
      complete: isWhole,
      from_height: from.fromHeight,
      from_time: new Date(from.fromMs).toISOString(),
      kept: explorer.keptCount(publicKey),
      ...(missing === undefined ? {} : { older: missing }),
    };
  });
}
