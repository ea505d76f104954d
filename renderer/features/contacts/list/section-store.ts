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
