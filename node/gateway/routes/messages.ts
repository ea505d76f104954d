// Messages and contacts are the page's, which the gateway does not reach yet.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppHandlers } from "../http/app-handlers.ts";

/** Handlers of `/apps/v1/messages` and `/apps/v1/contacts`. */
export function messageHandlers(): Pick<AppHandlers, "sendMessage" | "getMessage" | "listContacts"> {
  return { sendMessage: refuse, getMessage: refuse, listContacts: refuse };
}

function refuse(): Promise<never> {
  return Promise.reject(new CodedError("MESSENGER_UNAVAILABLE", "This version of Parley does not let programs read or write messages yet"));
}
