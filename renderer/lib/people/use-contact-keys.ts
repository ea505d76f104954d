// The accepted contacts of an account, whoever asked first.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { useNodeQueries } from "../node/queries.ts";

const ACCEPTED = "accepted";

/** Keys of the accepted contacts; empty until they are known. */
export function useContactKeys(account: PublicKeyHex): readonly PublicKeyHex[] {
  const queries = useNodeQueries();
  const { data: received } = useQuery(queries.contacts(account));
  const { data: sent } = useQuery(queries.sentContacts(account));
  return useMemo(() => {
    const keys = [
      ...(received ?? []).filter(({ status }) => status === ACCEPTED).map(({ requester_pub }) => requester_pub),
      ...(sent ?? []).filter(({ status }) => status === ACCEPTED).map(({ recipient_pub }) => recipient_pub),
    ];
    return [...new Set(keys)];
  }, [received, sent]);
}
