// How much one request may ask for at once, where callers have to split. Without schemas, so that a page can load it.

/** Identities of one request. */
export const MAX_IDENTITIES = 500;
