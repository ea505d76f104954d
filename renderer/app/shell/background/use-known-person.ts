// What the app knows of the person behind a key: oneself, one's own name for them, the name they sent in messages, or the published one.
import { useQuery } from "@tanstack/react-query";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessengerValue, useProfileName } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useNotesAbout } from "#renderer/lib/people/contacts/people-notes.ts";
import { useIsContact } from "#renderer/lib/people/contacts/use-is-contact.ts";
import { useNameCache } from "#renderer/lib/people/names/name-cache.ts";
import type { Person } from "#renderer/lib/people/people-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";

/** Names change rarely, and live updates report them. */
const NAME_STALE_MS = 10 * 60_000;

/** The person behind a key. */
export function useKnownPerson(publicKey: PublicKeyHex): Person {
  const { status } = useKeyringValue();
  const queries = useNodeQueries();
  const { data } = useQuery({ ...queries.identity(publicKey), staleTime: NAME_STALE_MS, enabled: publicKey !== "" });
  const notes = useNotesAbout(publicKey);
  const stored = useNameCache(({ names }) => names.get(publicKey));
  const nickname = visibleText(data?.nickname.trim() ?? stored ?? "");
  const isContact = useIsContact(publicKey);
  const isSelf = status?.account?.masterPub === publicKey;
  const ownName = useMessengerValue((messenger) => messenger.profileName);
  const sentName = useProfileName(publicKey);
  const profileName = isSelf && ownName !== "" ? ownName : sentName;
  const isOwnName = notes.name !== "";
  return {
    name: isOwnName ? notes.name : (profileName ?? (nickname === "" ? undefined : nickname)),
    isOwnName,
    isProfileName: !isOwnName && profileName !== undefined,
    isVerified: notes.isVerified,
    isContact,
    isSelf,
  };
}
