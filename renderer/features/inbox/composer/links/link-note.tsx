// The preview above the field, as others will see it, until it is taken away. The own node asks the page, a moment after typing.
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactElement, type RefObject, useImperativeHandle, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { firstLink, fittingPreview, type LinkPreview } from "#shared/content/chat/link-preview.ts";
import styles from "../../messages/cards/link/link-card.module.css";
import { LinkWords } from "../../messages/cards/link/link-card.tsx";
import { hostOfLink, isShort } from "../../messages/cards/link/link-host.ts";
import { focusComposer } from "../../model/composer-focus.ts";
import { makePreview } from "./make-preview.ts";

/** A link has to stay the same for so long before a page is asked: one that is typed goes through the names of others. */
const PAUSE_MS = 1_000;
/** A preview is remembered for as long, for who comes back to a draft. */
const REMEMBER_MS = 600_000;

/** What the composer asks of it. */
export interface LinkPort {
  readonly previewOf: (text: string) => LinkPreview | undefined;
}

export interface LinkNoteProps {
  readonly text: string;
  /** Of the message that is changed. */
  readonly kept: LinkPreview | undefined;
  /** Whether pages may be asked. */
  readonly isOn: boolean;
  readonly port: RefObject<LinkPort | null>;
}

/** The preview with the button that takes it away, or the line that says that it is looked for. */
export function LinkNote({ text, kept, isOn, port }: LinkNoteProps): ReactElement | null {
  const { client } = useNode();
  const typed = firstLink(text);
  const link = useDebounced(typed, PAUSE_MS);
  const [removed, setRemoved] = useState<string>();
  const isKept = kept !== undefined && kept.link === typed;
  const mayAsk = isOn && !isKept && link !== undefined && link === typed && link !== removed && hostOfLink(link) !== undefined;
  const found = useQuery({
    queryKey: ["page", link],
    queryFn: ({ signal }) => makePreview(client, link ?? "", signal),
    enabled: mayAsk,
    // Asked once, also where everything else is asked again: after the node was away.
    staleTime: "static",
    gcTime: REMEMBER_MS,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const shown = typed === undefined || typed === removed ? undefined : isKept ? kept : mayAsk ? found.data : undefined;
  useImperativeHandle(port, () => ({ previewOf: (sent) => fittingPreview(sent, shown) }), [shown]);
  const remove = (): void => {
    setRemoved(typed);
    focusComposer();
  };
  if (shown === undefined && !(mayAsk && found.isFetching)) return null;
  return (
    <WithAllWords>
      <Note preview={shown} link={typed ?? ""} onRemove={remove} />
    </WithAllWords>
  );
}

interface NoteProps {
  readonly preview: LinkPreview | undefined;
  readonly link: string;
  readonly onRemove: () => void;
}

function Note({ preview, link, onRemove }: NoteProps): ReactElement {
  const t = useMessages();
  return (
    <section
      className={styles.note}
      aria-label={t("chat.linkPreview")}
      data-short={(preview !== undefined && isShort(preview)) || undefined}
    >
      {preview === undefined ? (
        <span className={styles.loading} role="status">
          {t("chat.linkLoading", { host: hostOfLink(link) ?? "" })}
        </span>
      ) : (
        <LinkWords preview={preview} withPicture />
      )}
      <IconButton icon={X} size="small" label={t("chat.linkRemove")} onClick={onRemove} />
    </section>
  );
}
