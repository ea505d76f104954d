// Who may use a relay of calls: credentials that its node issues and that end by themselves, and nonces that do. Neither is stored: both can
// be checked with a secret of this start.
import { createHmac, timingSafeEqual } from "node:crypto";
import { longTermKey } from "../wire/integrity.ts";

/** Name under which the relay asks for credentials. */
export const REALM = "parley";
/** How long a credential opens new allocations, seconds: a call is prepared and answered within. */
export const CREDENTIAL_S = 600;
/** How long a nonce counts, seconds. */
export const NONCE_S = 600;

const USERNAME = /^(\d{10}):[0-9a-f]{16}$/;
const NONCE = /^([0-9a-f]{8})([0-9a-f]{16})$/;

/** What a client shows. */
export interface IssuedCredential {
  readonly username: string;
  readonly password: string;
  /** Unix seconds. */
  readonly expiresSec: number;
}

/** Issues a credential; `id` are eight random bytes. */
export function issueCredential(secret: Uint8Array, id: Uint8Array, nowSec: number): IssuedCredential {
  const expiresSec = nowSec + CREDENTIAL_S;
  const username = `${expiresSec}:${Buffer.from(id).toString("hex")}`;
  return { username, password: passwordOf(secret, username), expiresSec };
}

/** The key of a credential that still counts; undefined for any other name, without a hash being computed for it. */
export function credentialKey(secret: Uint8Array, username: string, nowSec: number): Buffer | undefined {
  const expiresSec = Number(USERNAME.exec(username)?.[1] ?? 0);
  // One that ends later than any that is issued now was never issued.
  if (expiresSec <= nowSec || expiresSec > nowSec + CREDENTIAL_S) return undefined;
  return longTermKey(username, REALM, passwordOf(secret, username));
}

function passwordOf(secret: Uint8Array, username: string): string {
  return createHmac("sha256", secret).update("credential\n").update(username).digest("base64");
}

/** A nonce for one client address. */
export function makeNonce(secret: Uint8Array, client: string, nowSec: number): string {
  const expires = (nowSec + NONCE_S).toString(16).padStart(8, "0");
  return expires + nonceMac(secret, expires, client);
}

/** True for a nonce that was made for this client and still counts. */
export function isFreshNonce(
  secret: Uint8Array,
  nonce: string,
  { client, nowSec }: { readonly client: string; readonly nowSec: number },
): boolean {
  const [, expires = "", mac = ""] = NONCE.exec(nonce) ?? [];
  if (expires === "" || Number.parseInt(expires, 16) <= nowSec) return false;
  return timingSafeEqual(Buffer.from(mac), Buffer.from(nonceMac(secret, expires, client)));
}

function nonceMac(secret: Uint8Array, expires: string, client: string): string {
  return createHmac("sha256", secret).update(`nonce\n${expires}\n${client}`).digest("hex").slice(0, 16);
}
