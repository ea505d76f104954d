// What the browser refused to store, most often because it has no room left: it is shown as changed, and is lost when the page closes.
import { create } from "zustand";

interface Unstored {
  /** By the place in the storage, the way to try it again. */
  readonly items: ReadonlyMap<string, () => Promise<void>>;
}

export const useUnstored = create<Unstored>()(() => ({ items: new Map() }));

/** The last write to each place: an earlier one that is tried again must not come after a later one. */
const writing = new Map<string, Promise<void>>();

/** Writes after all earlier writes to the same place, and notes where that fails, until a later one succeeds. @throws what the storage says. */
export async function storeOrNote(place: string, write: () => Promise<void>): Promise<void> {
  const turn = (writing.get(place) ?? Promise.resolve()).then(write);
  writing.set(
    place,
    turn.catch(() => undefined),
  );
  try {
    await turn;
  } catch (error) {
    useUnstored.setState(({ items }) => ({ items: new Map([...items, [place, write]]) }));
    throw error;
  }
  if (useUnstored.getState().items.has(place)) forgetUnstored(place);
}

/** Tries all of it again. Those that fail stay noted. */
export async function retryUnstored(): Promise<void> {
  for (const [place, write] of useUnstored.getState().items) await storeOrNote(place, write).catch(() => undefined);
}

/** It is read no longer: when the keyring is locked. */
export function forgetUnstored(place: string): void {
  useUnstored.setState(({ items }) => ({ items: new Map([...items].filter(([name]) => name !== place)) }));
}
