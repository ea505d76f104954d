// Passes names, notes and private contacts on to the other own devices, and takes over what was noted there.
import { type ReactElement, useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { putNotes, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { setNotesWithRoom } from "#renderer/lib/people/contacts/set-notes.ts";
import { asPassed, notesToPass, notesToTake } from "#renderer/lib/people/contacts/synced-notes.ts";
import { isNote } from "#shared/content/chat/note-content.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";

/** Renders nothing. */
export function NotesSync(): ReactElement | null {
  const messenger = useMessenger();
  return messenger === undefined ? null : <Syncing messenger={messenger} />;
}

function Syncing({ messenger }: { readonly messenger: Messenger }): null {
  const toasts = useToasts();
  const phase = useSyncExternalStore(messenger.subscribe, () => messenger.getSnapshot().phase);
  const known = useSyncExternalStore(messenger.subscribe, () => messenger.getSnapshot().notes);
  const here = usePeopleNotes(({ notes }) => notes);
  const isOpen = usePeopleNotes(({ item }) => item !== undefined);
  const passing = useRef(Promise.resolve());
  const sync = useEffectEvent((notes: typeof here, stored: typeof known) => {
    void putNotes(notesToTake(notes, stored));
    passing.current = passing.current
      .then(() => passNotes(messenger))
      .catch((error: unknown) => {
        if (!isCodedError(error, "MESSENGER_UNAVAILABLE")) toasts.showError(error);
      });
  });
  useEffect(() => {
    // Only a messenger that runs says what there is.
    if (isOpen && phase === "running") sync(here, known);
  }, [isOpen, phase, known, here]);
  return null;
}

/** What is noted here is passed on as it is by then. */
async function passNotes(messenger: Messenger): Promise<void> {
  const { item, notes } = usePeopleNotes.getState();
  const { phase, notes: known } = messenger.getSnapshot();
  if (item === undefined || phase !== "running") return;
  const waiting = notesToPass(notes, known).filter(isNote);
  // From here on the messenger may have them: what is removed meanwhile has to reach it, too.
  await putNotes(asPassed(notes, waiting));
  await setNotesWithRoom(messenger, waiting);
}
