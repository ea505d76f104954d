// Says something to screen readers without showing it: new messages, results of what one did.
import { create } from "zustand";

interface Announcements {
  readonly text: string;
  /** Changes with every announcement, so that the same words are read again. */
  readonly count: number;
}

/** The last announcement; the shell's live region reads it. */
export const useAnnouncement = create<Announcements>()(() => ({ text: "", count: 0 }));

/** Screen readers take words when they appear; later they would be found again, out of date, by those who read the page line by line. */
const KEPT_MS = 5_000;

let removal: ReturnType<typeof setTimeout> | undefined;

/** Announces politely. The words leave the page after {@link KEPT_MS}: they may be those of a message. */
export function announce(text: string): void {
  clearTimeout(removal);
  useAnnouncement.setState((state) => ({ text, count: state.count + 1 }));
  removal = setTimeout(() => useAnnouncement.setState({ text: "" }), KEPT_MS);
}
