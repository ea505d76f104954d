// How much one request may ask for at once, where callers have to split. Without schemas, so that a page can load it.

/** Identities of one request. */
export const MAX_IDENTITIES = 500;

/** People whose devices one request lists. */
export const MAX_DEVICE_LISTS = 100;

/** Envelopes of one request. */
export const MAX_ENVELOPES = 64;
