// Which pictures of a chat are shown together: what one author sent in one go. Pure.
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { isWhole } from "../../viewer/shown-pictures.ts";
import type { ChatRow, MessageRowShape } from "./chat-row.ts";

/** Pictures that follow each other within this time came together. */
const TOGETHER_MS = 60_000;
/** Most pictures of one album; more begin another one. */
export const MAX_ALBUM_PICTURES = 10;

const SHOWN_TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);

/** Rows with pictures that came together in one; the first of an album may have a text, and no other. */
export function joinAlbums(rows: readonly ChatRow[]): readonly ChatRow[] {
  const joined: ChatRow[] = [];
  let run: MessageRowShape[] = [];
  const end = (): void => {
    const [first, second] = run;
    if (first !== undefined) joined.push(second === undefined ? first : { kind: "album", key: first.key, pictures: run });
    run = [];
  };
  for (const row of rows) {
    if (row.kind !== "message" || !isPicture(row.message)) {
      end();
      joined.push(row);
      continue;
    }
    const last = run.at(-1);
    if (last === undefined || !follows(last, row) || run.length === MAX_ALBUM_PICTURES) end();
    run.push(row);
  }
  end();
  return joined;
}

/** True for a picture that is whole, and of which nothing is to be said beside it. */
function isPicture(message: ChatMessage): boolean {
  const { body, problem, isOnOtherDevice } = message;
  if (body.kind !== "attachment" || body.image === null || body.sticker !== undefined || !SHOWN_TYPES.has(body.mediaType)) return false;
  return isWhole(message) && problem === null && !isOnOtherDevice;
}

function follows(before: MessageRowShape, { message, isFirst }: MessageRowShape): boolean {
  const hasCaption = message.body.kind === "attachment" && message.body.caption !== "";
  return !isFirst && !hasCaption && message.at - before.message.at < TOGETHER_MS;
}
