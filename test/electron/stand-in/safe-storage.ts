// safeStorage over a secret in a file beside the profile: a test can exchange it, as a new installation of the system does. Under the
// real binary it takes the place of the system's keychain too, which a test must not touch.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type * as Electron from "electron";
import { keychainFile } from "../keychains.ts";
import { STORAGE_BACKEND, USER_DATA } from "./settings.ts";

const SECRET = keychainFile(USER_DATA);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type StandInStorage = Pick<
  Electron.SafeStorage,
  "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
>;

/** Stands for `safeStorage`, with the prefixes that the system's own have on Linux. */
export const safeStorage: StandInStorage = {
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
  getSelectedStorageBackend: () => STORAGE_BACKEND,
  encryptStringAsync: async (text) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", secret(), nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([prefix(), nonce, cipher.getAuthTag(), sealed]);
  },
  decryptStringAsync: async (sealed) => {
    if (!sealed.subarray(0, prefix().length).equals(prefix())) throw new Error("Sealed by another back-end");
    const bytes = sealed.subarray(prefix().length);
    const decipher = createDecipheriv("aes-256-gcm", secret(), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const result = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    return { result, shouldReEncrypt: false };
  },
};

function prefix(): Buffer {
  return Buffer.from(STORAGE_BACKEND === "basic_text" ? "v10" : "v11");
}

function secret(): Buffer {
  if (!existsSync(SECRET)) writeFileSync(SECRET, randomBytes(32));
  return readFileSync(SECRET);
}
