// The engine as the gateway for programs sees it.
import type { MessagesLink } from "#shared/apps/messages/messages-api.ts";
import type { Messenger } from "./messenger.ts";

type ProgramMessenger = Pick<
  Messenger,
  "sendOrdered" | "readEntry" | "readArrivals" | "lastArrival" | "acceptedContacts" | "leaveReceipt" | "subscribe" | "getSnapshot"
>;

/** The port's methods over a messenger. They reject with MESSENGER_UNAVAILABLE while it does not run. */
export function messagesLink(messenger: ProgramMessenger): MessagesLink {
  return {
    api: {
      send: (order) => messenger.sendOrdered(order),
      read: (input) => messenger.readEntry(input),
      arrivals: (input) => messenger.readArrivals(input),
      lastArrival: (input) => messenger.lastArrival(input),
      contacts: () => messenger.acceptedContacts(),
      leaveReceipt: (payment) => messenger.leaveReceipt(payment),
    },
    // The snapshot changes with every commit, and when the messenger starts or ends.
    onEvent: (listener) => messenger.subscribe(() => listener({ event: "arrived" })),
  };
}
