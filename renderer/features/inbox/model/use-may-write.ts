// Whether a message to a person can be sealed at all: they have published a key, and neither has blocked the other.
import { useQuery } from "@tanstack/react-query";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { ConversationHeader } from "./conversation-header.tsx";

/** False only where it is known that nothing can be sent. */
export function useMayWrite(header: ConversationHeader): boolean {
  const { directory } = useContactDirectory();
  const hasKey = useHasKey(header);
  if (header.kind === "self") return true;
  if (header.kind === "unknown") return false;
  if (header.kind === "group") return header.group?.isMember === true;
  return hasKey !== false && entryOf(directory, header.peer).relation !== "blocked";
}

/** Whether the person has published a key to seal for; undefined while that is unknown. */
export function useHasKey(header: ConversationHeader): boolean | undefined {
  const queries = useNodeQueries();
  const isPerson = header.kind === "person";
  const { data } = useQuery({ ...queries.identity(isPerson ? header.peer : ""), enabled: isPerson });
  if (!isPerson || data === undefined) return undefined;
  return data.x25519_pub !== "" || data.device_count > 0;
}
