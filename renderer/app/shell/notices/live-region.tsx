// Reads announcements aloud.
import type { ReactElement } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { useAnnouncement } from "#renderer/lib/browser/announce.ts";

/** One per document. */
export function LiveRegion(): ReactElement {
  const { text, count } = useAnnouncement();
  return (
    <div aria-live="polite" role="status">
      <VisuallyHidden key={count}>{text}</VisuallyHidden>
    </div>
  );
}
