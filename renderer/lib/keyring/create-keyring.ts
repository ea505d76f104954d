// Starts the keyring in its Worker and speaks to it over messages. Keys never come to the page.
import { createKeyringClient, type KeyringClient } from "#shared/keyring/port.ts";

/** The keyring of this browser profile; its status is asked for once by the provider. */
export function createKeyring(): KeyringClient<CryptoKey> {
  const worker = new Worker(new URL("../../workers/keyring-worker.ts", import.meta.url), { type: "module", name: "keyring" });
  return createKeyringClient<CryptoKey>({
    post: (message) => worker.postMessage(message),
    listen: (listener) => {
      const onMessage = (event: MessageEvent): void => listener(event.data);
      worker.addEventListener("message", onMessage);
      return () => worker.removeEventListener("message", onMessage);
    },
  });
}
