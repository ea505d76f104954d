// Keeps the cache of names open while the keyring is, and learns every name that the node returns.
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useKeyringValue } from "../../keyring/keyring-context.tsx";
import { openedKeys } from "../../keyring/use-while-open.ts";
import { readNames } from "../../node/access/names-text.ts";
import { isIdentityKey, isNamesKey } from "../../node/query-keys.ts";
import { closeNameCache, learnNames, openNameCache, storeNames } from "./name-cache.ts";

/** Names come in bursts: they are written once no more arrive. */
const STORE_DELAY_MS = 1_500;

/** The shell calls it once. */
export function useStoreNames(): void {
  const { keyring, status } = useKeyringValue();
  const cache = useQueryClient();
  const opened = openedKeys(status);
  useEffect(() => {
    if (opened === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const learn = (names: readonly LearnedName[]): void => {
      if (!learnNames(names)) return;
      clearTimeout(timer);
      timer = setTimeout(() => void storeNames(), STORE_DELAY_MS);
    };
    const known = (): readonly LearnedName[] => cache.getQueryCache().getAll().flatMap(namesOf);
    keyring
      .storeKeys()
      .then((keys) => openNameCache(keys, localStorage))
      .then(() => learn(known()))
      .catch(closeNameCache);
    const stop = cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && query.state.status === "success") learn(namesOf(query));
    });
    return (): void => {
      stop();
      clearTimeout(timer);
      closeNameCache();
    };
  }, [keyring, opened, cache]);
}

type LearnedName = readonly [PublicKeyHex, string];

/** Names that a response of the node holds. */
function namesOf({ queryKey, state }: Query): readonly LearnedName[] {
  if (state.data === undefined) return [];
  if (isNamesKey(queryKey)) return readNames(state.data as string);
  if (!isIdentityKey(queryKey)) return [];
  const { pub_key: key, nickname } = state.data as IdentityInfo;
  return [[key, nickname.trim()]];
}
