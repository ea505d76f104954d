// Bounds of the port between page and keyring, held at both ends of the way.

/** Requests of one page that wait at the same time: more are refused before they cost memory or work. */
export const MAX_PENDING_REQUESTS = 1_024;

/**
 * Of those, requests that take the processor for long: a page that asked for a thousand would keep the keyring from hearing that it has
 * to lock.
 */
export const MAX_PENDING_COSTLY = 4;
