// The page's end of the port to the gateway for programs. The shell hands it over after it was asked for.
import { MESSAGES_METHODS, type MessagesApi, type MessagesEvent } from "#shared/apps/messages/messages-api.ts";
import { serveMethods } from "#shared/apps/messages/method-port.ts";
import { APPS_PORT_MESSAGE } from "#shared/desktop/channels.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { messagesLink } from "#shared/messenger/serve-programs.ts";

/** Asks for the port and serves a messenger on it; returns the way to stop that. */
export function serveProgramMessages(desktop: DesktopApi, messenger: Messenger): () => void {
  let stop = (): void => undefined;
  const onMessage = ({ data, ports: [port], source }: MessageEvent): void => {
    if (source !== window || data !== APPS_PORT_MESSAGE || port === undefined) return;
    stop();
    stop = serve(port, messenger);
  };
  window.addEventListener("message", onMessage);
  // Without a gateway no port comes; it is asked for again when one is ready.
  desktop.call("connectAppMessages", null).catch(() => undefined);
  return (): void => {
    window.removeEventListener("message", onMessage);
    stop();
  };
}

function serve(port: MessagePort, messenger: Messenger): () => void {
  const link = messagesLink(messenger);
  const server = serveMethods<MessagesApi, MessagesEvent>(portOf(port), MESSAGES_METHODS, link.api);
  let isReported = false;
  // Many changes at once are one event.
  const stopEvents = link.onEvent((event) => {
    if (isReported) return;
    isReported = true;
    setTimeout(() => {
      isReported = false;
      server.emit(event);
    }, 0);
  });
  port.start();
  return (): void => {
    stopEvents();
    server.close();
    port.close();
  };
}

function portOf(port: MessagePort): KeyringPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const forward = ({ data }: MessageEvent): void => listener(data);
      port.addEventListener("message", forward);
      return () => port.removeEventListener("message", forward);
    },
  };
}
