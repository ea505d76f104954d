// Whether a message to somebody can be sealed at all: they have published a key, and neither has blocked the other.
import { useQuery } from "@tanstack/react-query";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { entryOf } from "#renderer/lib/people/book/contact-book.ts";
import { useContactBook } from "#renderer/lib/people/book/use-contact-book.ts";
import type { Face } from "./conversation-face.tsx";

/** False only where it is known that nothing can be sent. */
export function useMayWrite(face: Face): boolean {
  const { book } = useContactBook();
  const hasKey = useHasKey(face);
  if (face.kind === "self") return true;
  if (face.kind === "unknown") return false;
  if (face.kind === "group") return face.group?.isMember === true;
  return hasKey !== false && entryOf(book, face.peer).standing !== "blocked";
}

/** Whether the person has published a key to seal for; undefined while that is unknown. */
export function useHasKey(face: Face): boolean | undefined {
  const queries = useNodeQueries();
  const isPerson = face.kind === "person";
  const { data } = useQuery({ ...queries.identity(isPerson ? face.peer : ""), enabled: isPerson });
  if (!isPerson || data === undefined) return undefined;
  return data.x25519_pub !== "" || data.device_count > 0;
}
