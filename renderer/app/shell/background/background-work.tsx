// Work that runs behind every view: live updates, submitted transactions, publishing one's keys, locking when idle, loading views ahead.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, Suspense, useEffect } from "react";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useWhileOpen } from "#renderer/lib/keyring/use-while-open.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { followChain } from "#renderer/lib/node/live-updates.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { sealedNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useAutoLock } from "./use-auto-lock.ts";
import { usePicturesUntilLocked } from "./use-profile-picture.ts";

const NotesSync = lazyPart(async () => (await import("./notes-sync.tsx")).NotesSync);
const LaterWork = lazyPart(async () => (await import("./later-work.tsx")).LaterWork);
const HeldPayments = lazyPart(async () => (await import("./held-payments.tsx")).HeldPayments);

/** Shows nothing. */
export function BackgroundWork(): ReactElement {
  const { live } = useNode();
  const queryClient = useQueryClient();
  useEffect(() => followChain(live, queryClient), [live, queryClient]);
  useWhileOpen(sealedNotes);
  useContactsAhead();
  usePicturesUntilLocked();
  useAutoLock();
  const isIdle = useIdle();
  return (
    <Suspense>
      {isIdle && (
        <>
          <LaterWork />
          <NotesSync />
          <HeldPayments />
        </>
      )}
    </Suspense>
  );
}

/** The lists of contacts are there before a view asks for them: the node may be away by then. */
function useContactsAhead(): void {
  const { masterPub } = useAccount();
  const queries = useNodeQueries();
  useQuery(queries.contacts(masterPub));
  useQuery(queries.sentContacts(masterPub));
}
