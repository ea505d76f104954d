// Keeps the cache of names open while the keyring is, and learns every name that the node tells.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import { useKeyringValue } from "../keyring/keyring-context.tsx";
import { isIdentityKey } from "../node/query-keys.ts";
import { closeNameCache, keepNames, learnNames, openNameCache } from "./name-cache.ts";

/** Names come in bursts: they are written down once it is quiet. */
const KEEP_DELAY_MS = 1_500;

/** The shell calls it once. */
export function useKeepNames(): void {
  const { keyring, status } = useKeyringValue();
  const cache = useQueryClient();
  const isOpen = status?.state === "unlocked" || status?.state === "walletLocked";
  useEffect(() => {
    if (!isOpen) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const learn = (identities: readonly IdentityInfo[]): void => {
      if (!learnNames(identities.map(({ pub_key: key, nickname }) => [key, nickname.trim()] as const))) return;
      clearTimeout(timer);
      timer = setTimeout(() => void keepNames(), KEEP_DELAY_MS);
    };
    const known = (): readonly IdentityInfo[] =>
      cache
        .getQueryCache()
        .findAll({ predicate: ({ queryKey }) => isIdentityKey(queryKey) })
        .flatMap(({ state }) => (state.data === undefined ? [] : [state.data as IdentityInfo]));
    keyring
      .storeKeys()
      .then((keys) => openNameCache(keys, localStorage))
      .then(() => learn(known()))
      .catch(closeNameCache);
    const stop = cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && query.state.status === "success" && isIdentityKey(query.queryKey))
        learn([query.state.data as IdentityInfo]);
    });
    return (): void => {
      stop();
      clearTimeout(timer);
      closeNameCache();
    };
  }, [keyring, isOpen, cache]);
}
