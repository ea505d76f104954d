// Open boxes: opening one, asking for one.
import { type Awaitable, whenThere } from "#node/queries/awaitable.ts";
import type { OpenedBox } from "#node/relay/owners/opened-boxes.ts";
import type { Output } from "#shared/api/api.ts";
import type { BoxInfo } from "#shared/api/schemas/relay.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Handlers } from "../../handler-types.ts";
import { JsonText } from "../../json/json-text.ts";
import { type ApiLimits, RESPONSE_BYTES, watchableBoxes } from "../../limits.ts";
import { boxKey, clientOf, openingField } from "../../security/mail-input.ts";
import type { MailboxAccess } from "../../security/mailbox-access.ts";
import type { ApiServices } from "../../services.ts";
import { askOthers, listMailbox } from "./mailbox-reads.ts";

type BoxHandlers = Pick<Handlers, "openBox" | "getBox" | "listBoxes">;

/** Mailboxes of a list that count as one request. docs/limits.md lists it. */
export const MAILBOXES_A_REQUEST = 16;
/** Text of a list without its items, at most, beside that of each mailbox. */
const FRAME_BYTES = 128;

export function createBoxHandlers(
  { relay }: Pick<ApiServices, "relay">,
  mailboxes: MailboxAccess,
  limits: Pick<ApiLimits, "boxSubscriptions">,
): BoxHandlers {
  return {
    async openBox({ body }, context): Promise<Output<"openBox">> {
      const opening = openingField(body);
      await relay.boxes.take(opening, clientOf(context));
      return boxInfo(opening.mailbox, await relay.boxes.find(opening.mailbox));
    },
    getBox({ pub }): Awaitable<Output<"getBox">> {
      const mailbox = boxKey("pub", pub);
      return whenThere(relay.boxes.find(mailbox), (box) => boxInfo(mailbox, box));
    },
    async listBoxes({ body: { boxes, limit = 50 } }, context): Promise<JsonText> {
      context.spend(Math.ceil(boxes.length / MAILBOXES_A_REQUEST) - 1);
      const isOwner = !mailboxes.needsProof(context);
      const named = boxes.map(({ pub, after }) => ({ mailbox: boxKey("pub", pub), after }));
      const pubs = named.map(({ mailbox }) => mailbox);
      // Before others are asked for them.
      if (isOwner) for (const mailbox of pubs) relay.serve(mailbox, clientOf(context).party);
      const unread = await askOthers(relay, pubs, { isOwner, context });
      let isComplete = unread.size === 0;
      const texts: string[] = [];
      let listed = 0;
      // The half is as much as the last one may add.
      for (let bytes = 0; listed < named.length && bytes <= RESPONSE_BYTES / 2; listed += 1) {
        const { mailbox = "", after } = named[listed] ?? {};
        const query = { recipientPub: mailbox, limit, hidesDeleted: !isOwner, maxBytes: RESPONSE_BYTES / 2 - FRAME_BYTES };
        const list = await listMailbox(relay, { ...query, ...(after !== undefined && { afterSeq: after }) }, isOwner);
        const { items, hasMore } = list;
        isComplete &&= list.isComplete !== false;
        if (items.length === 0) continue;
        const text = `{"pub":"${mailbox}","has_more":${hasMore},"items":[${items}]}`;
        bytes += text.length;
        texts.push(text);
      }
      const watchable = watchableBoxes(limits, context.isExempt);
      const complete = isComplete ? "" : `"complete":false,`;
      return new JsonText(`{"boxes":[${texts.join()}],"listed":${listed},${complete}"watchable":${watchable}}`);
    },
  };
}

function boxInfo(pub: X25519KeyHex, box: OpenedBox | undefined): BoxInfo {
  if (box === undefined) return { pub, status: "none" };
  const { writeKey, read, untilSec, height } = box.opening;
  return { pub, status: box.isOpen ? "open" : "lapsed", write_pub: writeKey, read, until: untilSec, height };
}
