// Conversations that the person chose for a connection, as the messaging engine names them.
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import { isHex } from "#shared/util/bytes.ts";

/** What begins the id of a conversation of a group. */
export const GROUP_PREFIX = "group:";

/** Master keys of people, and ids of groups behind their prefix. */
export function conversationsOf({ chosen }: Pick<ConnectionView, "chosen">): readonly string[] {
  return chosen.map((id) => (isHex(id, 32) ? id : `${GROUP_PREFIX}${id}`));
}
