// Whom a typed text means: an address, key or link at once, a @name after the registry was asked.
import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "../browser/use-debounced.ts";
import { useNetworkQueries } from "../node/network-queries.ts";
import type { PaymentRequest } from "../transactions/payment-link.ts";
import { usernameIn } from "./names/username.ts";
import { parseRecipient, type RecipientInput } from "./parse-recipient.ts";

/** `resolving`: the registry is being asked. `unknown`: no key has the name. `unresolved`: the registry could not be asked. */
export type Recipient =
  | RecipientInput
  | { readonly kind: "named"; readonly name: string; readonly request: PaymentRequest }
  | { readonly kind: "resolving" | "unknown" | "unresolved"; readonly name: string };

const DEBOUNCE_MS = 200;

/** Meaning of a text. */
export function useRecipient(text: string): Recipient {
  const name = usernameIn(text);
  const debounced = useDebounced(name ?? "", DEBOUNCE_MS);
  const isAsked = name !== undefined && debounced === name;
  const owner = useQuery({ ...useNetworkQueries().usernameOwner(name ?? ""), enabled: isAsked });
  if (name === undefined) return parseRecipient(text);
  if (owner.data === null) return { kind: "unknown", name };
  if (owner.data !== undefined) return { kind: "named", name, request: { to: owner.data } };
  return { kind: owner.error === null ? "resolving" : "unresolved", name };
}
