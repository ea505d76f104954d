// The messenger's way to the keyring: only what sealing, opening and storing messages needs. The other process cannot unlock, sign an intent,
// see the phrase or change the vault over it.
import type { KeyringMethod, KeyringPort } from "#shared/keyring/port.ts";

const ALLOWED: readonly KeyringMethod[] = [
  "status",
  "seal",
  "open",
  "drawCards",
  "openPairs",
  "drawPublicCard",
  "openPublic",
  "renewCardKey",
  "resealCards",
  "dropFormerCardKey",
  "signedPrekey",
  "retireEpochs",
  "storeKeys",
  "makeDayKey",
  "dropDayKeys",
  "dropFormerKeys",
  "storeCheckpoint",
  "inboxProof",
  "signDeletion",
  "ownBoxes",
  "signOpenings",
] satisfies readonly KeyringMethod[];

/** A port whose other end can call these methods alone. */
export function messengerPort(port: KeyringPort): KeyringPort {
  return {
    post: port.post,
    listen: (listener) =>
      port.listen((message) => {
        const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
        if (ALLOWED.some((name) => name === method)) listener(message);
        else port.post({ id, error: { code: "NOT_FOUND", message: "The messenger's port has no such method", details: {} } });
      }),
  };
}
