// Opens the way to the keyring: on the desktop a process of its own, in a browser a Worker. Keys never come to the page.

import { createKeyringClient, type KeyringClient, type KeyringPort } from "#shared/keyring/port.ts";
import { desktopApi } from "../desktop/desktop-api.ts";
import { openKeyringPort } from "../desktop/keyring-port.ts";

/** The keyring of this profile; its status is asked for once by the provider. */
export function createKeyring(): KeyringClient<CryptoKey> {
  const desktop = desktopApi();
  return createKeyringClient<CryptoKey>(desktop === undefined ? openWorkerPort() : openKeyringPort(desktop));
}

function openWorkerPort(): KeyringPort {
  const worker = new Worker(new URL("../../workers/keyring-worker.ts", import.meta.url), { type: "module", name: "keyring" });
  return {
    post: (message) => worker.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = (event: MessageEvent): void => listener(event.data);
      worker.addEventListener("message", onMessage);
      return () => worker.removeEventListener("message", onMessage);
    },
  };
}
