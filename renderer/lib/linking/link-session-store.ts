// The key of a linking, between the first run that ends with it and the messenger that takes the history under it. Only in memory.
import { create } from "zustand";

interface LinkSessionStore {
  readonly session: Uint8Array | undefined;
  keep(session: Uint8Array): void;
  forget(): void;
}

/** The session that waits for the messenger. */
export const useLinkSession = create<LinkSessionStore>()((set) => ({
  session: undefined,
  keep: (session) => set({ session }),
  forget: () => set({ session: undefined }),
}));
