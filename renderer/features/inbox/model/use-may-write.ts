// Whether a message to somebody can be sealed at all: they have published a key, and neither has blocked the other.
import { useQuery } from "@tanstack/react-query";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { ConversationHeader } from "./conversation-header.tsx";

/** False only where it is known that nothing can be sent. */
export function useMayWrite(face: ConversationHeader): boolean {
  const { directory } = useContactDirectory();
  const hasKey = useHasKey(face);
  if (face.kind === "self") return true;
  if (face.kind === "unknown") return false;
  if (face.kind === "group") return face.group?.isMember === true;
  return hasKey !== false && entryOf(directory, face.peer).relation !== "blocked";
}

/** Whether the person has published a key to seal for; undefined while that is unknown. */
export function useHasKey(face: ConversationHeader): boolean | undefined {
  const queries = useNodeQueries();
  const isPerson = face.kind === "person";
  const { data } = useQuery({ ...queries.identity(isPerson ? face.peer : ""), enabled: isPerson });
  if (!isPerson || data === undefined) return undefined;
  return data.x25519_pub !== "" || data.device_count > 0;
}
