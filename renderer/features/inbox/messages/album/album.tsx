// Pictures that came together: one tile beside the other, each a message of its own with its own menu. Those of strangers are not decoded
// before the person wants to see them, so they stay bubbles.
import { Pin, Star } from "lucide-react";
import { type CSSProperties, memo, type ReactElement, useMemo, useRef } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { previewAddress } from "#renderer/lib/browser/preview-address.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useIsContact } from "#renderer/lib/people/contacts/use-is-contact.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { leastState } from "#shared/messenger/model/progress/outgoing-state.ts";
import { viewPicture } from "../../model/chat-intent-store.ts";
import { MarkedText } from "../../text/marked-text.tsx";
import { usePicture } from "../../viewer/use-picture.ts";
import bubble from "../bubble.module.css";
import { Author, type BubbleProps, Foot } from "../bubble.tsx";
import { MessageActions } from "../message-actions.tsx";
import { Reactions } from "../parts/reactions.tsx";
import type { MessageRowShape } from "../rows/chat-row.ts";
import { SteadyBubble } from "../steady-bubble.tsx";
import styles from "./album.module.css";
import { tileSpans } from "./album-tiles.ts";

export interface AlbumProps extends Pick<BubbleProps, "id" | "header" | "messenger"> {
  /** Oldest first. */
  readonly pictures: readonly MessageRowShape[];
  /** The message that one was led to a moment ago. */
  readonly marked: string | undefined;
}

/** The album, or bubbles where its pictures are a stranger's. */
export function Album(props: AlbumProps): ReactElement | null {
  const { pictures, marked, header } = props;
  const first = pictures[0]?.message;
  const author = first?.author ?? (header.kind === "person" ? header.peer : null);
  const isContact = useIsContact(author);
  if (first === undefined) return null;
  if (first.direction === "out" || isContact) return <SteadyAlbum {...props} />;
  return (
    <>
      {pictures.map(({ key, ...picture }) => (
        <SteadyBubble key={key} {...props} {...picture} isMarked={key === marked} />
      ))}
    </>
  );
}

/** Rendered again only when one of its pictures changes. */
const SteadyAlbum = memo(Tiles, isSameAlbum);

function isSameAlbum(before: AlbumProps, after: AlbumProps): boolean {
  const isSamePlace = before.id === after.id && before.messenger === after.messenger && before.marked === after.marked;
  const isSameHeader = before.header.kind === after.header.kind && before.header.name === after.header.name;
  return isSamePlace && isSameHeader && shapeOf(before.pictures) === shapeOf(after.pictures) && hasSameMessages(before, after);
}

function shapeOf(pictures: AlbumProps["pictures"]): string {
  return `${pictures.length} ${pictures[0]?.isFirst} ${pictures.at(-1)?.isLast}`;
}

function hasSameMessages(before: AlbumProps, after: AlbumProps): boolean {
  return before.pictures.every(({ message }, index) => message === after.pictures[index]?.message);
}

function Tiles(props: AlbumProps): ReactElement | null {
  const { pictures, marked, header } = props;
  const t = useMessages();
  const first = pictures[0];
  const last = pictures.at(-1);
  if (first === undefined || last === undefined) return null;
  const isOwn = first.message.direction === "out";
  const spans = tileSpans(pictures.length);
  const caption = first.message.body.kind === "attachment" ? first.message.body.caption : "";
  return (
    <article
      className={classNames(bubble.message, isOwn ? bubble.own : bubble.theirs, first.isFirst && bubble.first, last.isLast && bubble.last)}
      aria-label={t("inbox.album", { count: pictures.length })}
    >
      {first.message.author === null ? (
        <VisuallyHidden>{isOwn ? t("common.you") : header.name}</VisuallyHidden>
      ) : (
        <Author person={first.message.author} isShown={first.isFirst} />
      )}
      <div className={classNames(bubble.bubble, styles.album)}>
        <ul className={styles.tiles}>
          {pictures.map(({ key, message }, index) => (
            <li key={key} className={styles.place} style={{ "--span": spans[index] } as CSSProperties}>
              <Tile {...props} message={message} isMarked={key === marked} />
            </li>
          ))}
        </ul>
        {caption !== "" && <MarkedText text={caption} />}
        <Foot message={summaryOf(pictures.map(({ message }) => message))} isSelf={header.kind === "self"} />
      </div>
    </article>
  );
}

interface TileProps extends Pick<AlbumProps, "id" | "header" | "messenger"> {
  readonly message: ChatMessage;
  readonly isMarked: boolean;
}

/** One picture, which opens, with what one can do with it. */
function Tile(props: TileProps): ReactElement | null {
  const { message, messenger, isMarked } = props;
  const t = useMessages();
  const area = useRef<HTMLDivElement>(null);
  const { address, isRefused } = usePicture(messenger, message.key);
  const body = message.body.kind === "attachment" ? message.body : undefined;
  const preview = useMemo(() => (body?.image == null ? undefined : previewAddress(body.image.preview)), [body?.image]);
  if (body === undefined) return null;
  const name = t("inbox.picture", { name: body.name });
  const source = isRefused ? undefined : (address ?? preview);
  return (
    <div ref={area} className={classNames(bubble.line, styles.tile)} data-marked={isMarked || undefined}>
      <button type="button" className={styles.opens} aria-haspopup="dialog" onClick={(): void => viewPicture(message.key)}>
        {source === undefined ? (
          <span className={styles.name}>{name}</span>
        ) : (
          <img className={styles.picture} src={source} alt={name} data-preview={address === undefined || undefined} />
        )}
      </button>
      <span className={styles.marks}>
        {message.isStarred && <Star size={11} fill="currentColor" role="img" aria-label={t("inbox.starred")} />}
        {message.isPinned && <Pin size={11} role="img" aria-label={t("inbox.pinned")} />}
      </span>
      <div className={styles.actions}>
        <MessageActions {...props} area={area} />
      </div>
      <div className={styles.reactions}>
        <Reactions message={message} messenger={messenger} />
      </div>
    </div>
  );
}

/** What the foot says of all: the time of the newest, and how far the least far is. Stars and pins stand in the tiles. */
function summaryOf(messages: readonly ChatMessage[]): ChatMessage {
  const newest = messages.at(-1) as ChatMessage;
  const states = messages.flatMap(({ state }) => (state === null ? [] : [state]));
  return { ...newest, isStarred: false, isPinned: false, state: states.length === 0 ? null : leastState(states) };
}
