// Bounds of groups that a person meets.

/** Most people in a group, its owner among them. */
export const MAX_GROUP_MEMBERS = 100;
/** Most people whom one entry of a group's log adds or removes: as many as programs read that know groups of 32. */
export const MAX_ENTRY_PEOPLE = 31;
/** Members, those who came first, whom programs that know groups of 32 show and write to. */
export const OLDER_GROUP_MEMBERS = 32;
/** Longest name of a group, UTF-8 bytes. */
export const MAX_GROUP_NAME_BYTES = 128;
/** Most admins besides the owner. */
export const MAX_GROUP_ADMINS = 7;
/** Largest entry of a group's log, bytes. */
export const MAX_ENTRY_BYTES = 2_048;
/** Largest entry with its proof, bytes. */
export const MAX_SIGNED_ENTRY_BYTES = MAX_ENTRY_BYTES + 256;
/** Most entries in one content. */
export const MAX_CONTENT_ENTRIES = 256;
/** Most heads of a log in one content. */
export const MAX_CONTENT_HEADS = 8;
/** So long after it was signed an entry that passes a group on is taken for a payment; a later one needs a new entry. */
export const OFFER_MS = 600_000;
