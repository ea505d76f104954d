// What the browser refused to store, most often because it has no room left: it is shown as changed, and is lost when the page closes.
import { create } from "zustand";

type Write = () => Promise<void>;

interface Unstored {
  /** By the place in the storage, the way to try it again. */
  readonly items: ReadonlyMap<string, Write>;
}

export const useUnstored = create<Unstored>()(() => ({ items: new Map() }));

/** The last write to each place: an earlier one that is tried again must not come after a later one. */
const writing = new Map<string, Promise<unknown>>();
/** How often each place was forgotten. */
const forgotten = new Map<string, number>();

/** Says whether what is read from a place now is still open: until {@link forgetUnstored}. */
export function whileRead(place: string): () => boolean {
  const times = forgotten.get(place);
  return () => forgotten.get(place) === times;
}

/**
 * Writes after all earlier writes to the same place, and notes where that fails, until a later one succeeds: only what `isRead` says is still
 * open. @throws what the storage says.
 */
export async function storeOrNote(place: string, write: Write, isRead: () => boolean = whileRead(place)): Promise<void> {
  await inTurn(place, write, { isRead, isDue: () => true });
}

/** Tries all of it again. Those that fail stay noted. */
export async function retryUnstored(): Promise<void> {
  for (const [place, write] of useUnstored.getState().items) {
    // Until its turn a later one may have been stored, or the keyring locked.
    const isDue = (): boolean => useUnstored.getState().items.get(place) === write;
    await inTurn(place, write, { isRead: whileRead(place), isDue }).catch(() => undefined);
  }
}

/** It is read no longer, as when the keyring is locked: nor is a write noted that fails from now on. */
export function forgetUnstored(place: string): void {
  forgotten.set(place, (forgotten.get(place) ?? 0) + 1);
  drop(place);
}

async function inTurn(
  place: string,
  write: Write,
  { isRead, isDue }: { readonly isRead: () => boolean; readonly isDue: () => boolean },
): Promise<void> {
  const turn = (writing.get(place) ?? Promise.resolve()).then(async (): Promise<boolean> => {
    if (!isDue()) return false;
    await write();
    return true;
  });
  writing.set(
    place,
    turn.catch(() => undefined),
  );
  try {
    if (await turn) drop(place);
  } catch (error) {
    if (isRead()) useUnstored.setState(({ items }) => ({ items: new Map([...items, [place, write]]) }));
    throw error;
  }
}

function drop(place: string): void {
  if (!useUnstored.getState().items.has(place)) return;
  useUnstored.setState(({ items }) => ({ items: new Map([...items].filter(([name]) => name !== place)) }));
}
