// What the sender of a link says about its page, below the text. The domain is read from the link, never from what was said; a press asks
// the question that every link asks.
import { type ReactElement, useState } from "react";
import { LeaveSheet } from "#renderer/components/overlays/external-link.tsx";
import { previewAddress } from "#renderer/lib/browser/preview-address.ts";
import { useIsContact } from "#renderer/lib/people/contacts/use-is-contact.ts";
import type { LinkPreview } from "#shared/content/chat/link-preview.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import styles from "./link-card.module.css";
import { hostOfLink, isShort } from "./link-host.ts";

export interface LinkCardProps {
  readonly preview: LinkPreview;
  readonly isOwn: boolean;
  /** Whose message it is; null for one's own in notes, and for a sender without a proven identity. */
  readonly author: PublicKeyHex | null;
}

/** The card; nothing for a link that is shown without one. */
export function LinkCard({ preview, isOwn, author }: LinkCardProps): ReactElement | null {
  const [isAsking, setAsking] = useState(false);
  const isContact = useIsContact(author);
  if (hostOfLink(preview.link) === undefined) return null;
  return (
    <>
      <button
        type="button"
        className={styles.card}
        data-own={isOwn || undefined}
        data-short={isShort(preview) || undefined}
        onClick={(): void => setAsking(true)}
      >
        <LinkWords preview={preview} withPicture={isOwn || isContact} />
      </button>
      <LeaveSheet url={isAsking ? preview.link : undefined} onClose={(): void => setAsking(false)} />
    </>
  );
}

/** Picture and words. A picture of a stranger is not decoded. */
export function LinkWords({ preview, withPicture }: { readonly preview: LinkPreview; readonly withPicture: boolean }): ReactElement {
  const { link, title, description, picture } = preview;
  const source = withPicture ? previewAddress(picture) : undefined;
  return (
    <>
      {source !== undefined && <img className={styles.picture} src={source} alt="" width={64} height={64} />}
      <span className={styles.words}>
        <bdi className={styles.host} dir="ltr">
          {hostOfLink(link)}
        </bdi>
        <span className={styles.title} dir="auto">
          {visibleText(title)}
        </span>
        {description !== "" && (
          <span className={styles.description} dir="auto">
            {visibleText(description)}
          </span>
        )}
      </span>
    </>
  );
}
