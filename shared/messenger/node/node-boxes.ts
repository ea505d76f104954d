// Open boxes at a node: opened, listed many at once, and known to be there before anything is handed in for one.
import type { NodeClient } from "#shared/api/client.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { BoxCursor, BoxPage } from "../model/node-port.ts";

/** Boxes of the node that a connection leads to. */
export interface NodeBoxes {
  /** @throws CodedError NOT_FOUND where the node does not know open boxes: it would pass over who admits an envelope. */
  require(mailbox: X25519KeyHex): Promise<void>;
  open(opening: BoxOpening): Promise<void>;
  list(boxes: readonly BoxCursor[], limit: number): Promise<BoxPage>;
}

/** Boxes at a node; what it knows is asked again after a reconnect, as it may be another one. */
export function boxesOf({ client, live }: { readonly client: NodeClient; readonly live: LiveConnection }): NodeBoxes {
  let isKnown: Promise<boolean> | undefined;
  live.onState(() => {
    isKnown = undefined;
  });
  const ask = (mailbox: X25519KeyHex): Promise<boolean> => {
    isKnown ??= knowsBoxes(client, mailbox).catch((error: unknown) => {
      isKnown = undefined;
      throw error;
    });
    return isKnown;
  };
  return {
    require: async (mailbox): Promise<void> => {
      if (!(await ask(mailbox))) throw new CodedError("NOT_FOUND", "This node does not know open boxes");
    },
    open: async ({ mailbox, writeKey, read, untilSec, height, signature }): Promise<void> => {
      await client.openBox({ body: { pub: mailbox, write_pub: writeKey, read, until: untilSec, height, signature } });
    },
    list: async (boxes, limit): Promise<BoxPage> => {
      const listed = boxes.map(({ mailbox, after }) => ({ pub: mailbox, after }));
      try {
        const page = await client.listBoxes({ body: { boxes: listed, limit } });
        const full = page.boxes.map(({ pub, has_more: hasMore, items }) => ({ mailbox: pub, hasMore, items }));
        return { boxes: full, listed: page.listed, watchable: page.watchable, isComplete: page.complete !== false };
      } catch (error) {
        if (!isCodedError(error, "NOT_FOUND")) throw error;
        return listOne(client, boxes, limit);
      }
    },
  };
}

/** A node of an earlier version lists one mailbox after the other. */
async function listOne(client: NodeClient, [first]: readonly BoxCursor[], limit: number): Promise<BoxPage> {
  if (first === undefined) return { boxes: [], listed: 0, watchable: 0 };
  const { items, has_more: hasMore } = await client.listInbox({ pub: first.mailbox, after: first.after, limit });
  return { boxes: [{ mailbox: first.mailbox, items, hasMore }], listed: 1, watchable: 0 };
}

async function knowsBoxes(client: NodeClient, mailbox: X25519KeyHex): Promise<boolean> {
  try {
    await client.getBox({ pub: mailbox });
    return true;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return false;
    throw error;
  }
}
