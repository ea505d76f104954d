// The page's end of the port to the keyring's own process. The shell hands it over after it was asked for; what is said before waits.
import { KEYRING_PORT_MESSAGE } from "#shared/desktop/channels.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";

/** Asks the shell for the port. */
export function openKeyringPort(desktop: DesktopApi): KeyringPort {
  const opened = Promise.withResolvers<MessagePort>();
  const onMessage = ({ data, ports: [port], source }: MessageEvent): void => {
    if (source !== window || data !== KEYRING_PORT_MESSAGE || port === undefined) return;
    window.removeEventListener("message", onMessage);
    opened.resolve(port);
  };
  window.addEventListener("message", onMessage);
  desktop.call("connectKeyring", null).catch(opened.reject);
  return {
    post: (message) => void opened.promise.then((port) => port.postMessage(message)),
    listen: (listener): (() => void) => {
      const forward = ({ data }: MessageEvent): void => listener(data);
      void opened.promise.then((port) => {
        port.addEventListener("message", forward);
        port.start();
      });
      return () => void opened.promise.then((port) => port.removeEventListener("message", forward));
    },
  };
}
