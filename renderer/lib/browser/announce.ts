// Says something to screen readers without showing it: new messages, results of what one did.
import { create } from "zustand";

interface Announcements {
  readonly text: string;
  /** Changes with every announcement, so that the same words are read again. */
  readonly count: number;
}

/** The last announcement; the shell's live region reads it. */
export const useAnnouncement = create<Announcements>()(() => ({ text: "", count: 0 }));

/** Announces politely. */
export function announce(text: string): void {
  useAnnouncement.setState((state) => ({ text, count: state.count + 1 }));
}
