// Events about messages that came in the conversations of a connection, in the order of arrival, since it was let in.

import { MAX_ARRIVALS_PAGE } from "#shared/apps/app-limits.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import type { Arrival, MessagesApi } from "#shared/apps/messages/messages-api.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { unixSeconds } from "../chain/own-account.ts";
import { hasScope } from "../http/app-guard.ts";
import { conversationsOf } from "../http/chosen-conversations.ts";
import type { GatewayServices } from "../services.ts";
import type { EventPlace } from "./event-places.ts";
import type { EventPage, PlacedEvent } from "./placed-events.ts";

/** The next ones. While the engine cannot be reached there are none, and the place stays. */
export async function messageEvents(
  { messages, clock }: Pick<GatewayServices, "messages" | "clock">,
  connection: ConnectionView,
  place: EventPlace,
): Promise<EventPage> {
  const nothing: EventPage = { events: [], next: place, hasMore: false };
  if (messages === undefined || connection.isResting || !hasScope(connection, "messages.read")) return nothing;
  try {
    const { api } = messages;
    const after = place.message === 0 ? await api.lastArrival({ untilMs: Math.floor(connection.createdAtMs) }) : place.message;
    const page = await api.arrivals({ after, limit: MAX_ARRIVALS_PAGE, conversations: conversationsOf(connection) });
    const events: PlacedEvent[] = [];
    if (place.message > 0 && page.firstSeq > place.message + 1)
      events.push({
        event: { type: "gap", at: unixSeconds(clock.nowMs()), from: "messages", to: "messages" },
        place: { ...place, message: page.firstSeq - 1 },
      });
    for (const arrival of page.arrivals) events.push(await eventOf(api, arrival, { ...place, message: arrival.seq }));
    return { events, next: { ...place, message: Math.max(place.message, page.readTo) }, hasMore: page.hasMore };
  } catch (error) {
    if (isCodedError(error, "MESSENGER_UNAVAILABLE", "UNAVAILABLE")) return nothing;
    throw error;
  }
}

/** What disappeared or was deleted since is gone: the event says no more. */
async function eventOf(api: MessagesApi, { id, atMs }: Arrival, place: EventPlace): Promise<PlacedEvent> {
  const at = unixSeconds(atMs);
  try {
    const { from, conversation, state } = await api.read({ id });
    if (state !== "gone") return { event: { type: "message", at, id, from, to: conversation }, place };
  } catch (error) {
    if (!isCodedError(error, "NOT_FOUND")) throw error;
  }
  return { event: { type: "message.gone", at, id }, place };
}
