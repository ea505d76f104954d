// Bounds of the port between page and keyring, held at both ends of the way.

/** Requests of one page that wait at the same time: more are refused before they cost memory or work. */
export const MAX_PENDING_REQUESTS = 1_024;
