// Which list of contacts is shown; it stays while one looks at other views.
import { create } from "zustand";

/** Lists of contacts. */
export const CONTACT_SECTIONS = ["people", "requests", "sent", "blocked"] as const;

/** One of the lists. */
export type ContactSection = (typeof CONTACT_SECTIONS)[number];

interface SectionStore {
  readonly section: ContactSection;
}

/** The list in view. */
export const useContactSection = create<SectionStore>()(() => ({ section: "people" }));

/** Shows a list. */
export function showSection(section: ContactSection): void {
  useContactSection.setState({ section });
}

/** What decides whether the requests are still worth looking at. */
export interface RequestsState {
  /** Open and declined requests. */
  readonly requests: number;
  /** The person of the address bar, and whether they are a contact. */
  readonly shown: string | undefined;
  readonly isContact: boolean;
}

/** True when the requests were just answered: none is left, or the one in view is a contact now. The people are shown then. */
export function isAnswered(before: RequestsState | undefined, now: RequestsState): boolean {
  if (before === undefined) return now.requests === 0;
  if (before.requests > 0 && now.requests === 0) return true;
  return before.shown === now.shown && !before.isContact && now.isContact;
}
