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
/** Most times that a group is passed on. */
export const MAX_OWNER_TRANSFERS = 16;
/** Largest entry with its proof, bytes. */
export const MAX_SIGNED_ENTRY_BYTES = MAX_ENTRY_BYTES + 256;
/** Most entries in one content. */
export const MAX_CONTENT_ENTRIES = 256;
/** Most heads of a log in one content. */
export const MAX_CONTENT_HEADS = 8;
/** So long after it was signed an entry that passes a group on is taken for a payment; a later one needs a new entry. */
export const OFFER_MS = 600_000;
/** Most people in the state of a base: those in the group, and those whose time ended since the base before. */
export const MAX_BASE_PEOPLE = 512;
/** Bases of one log that count; an honest owner's device writes fewer before the first of them go. */
export const MAX_BASES = 32;
/** Largest state of a base, bytes. */
export const MAX_BASE_BYTES = 49_152;
/** Entries that may still pass a group on and stay when a base replaces what is before: beyond them no base counts. */
export const MAX_AWAITED_ENTRIES = 16;
/** Most entries that stay beside a base: the `create`, those of {@link MAX_OWNER_TRANSFERS} owners, and those. */
export const MAX_KEPT_ENTRIES = 1 + MAX_OWNER_TRANSFERS + MAX_AWAITED_ENTRIES;
/** Version of logs that this program reads: 1 knows bases, 2 invite links. */
export const LOG_VERSION = 2;
/** Version that knows bases. */
export const BASE_LOG_VERSION = 1;
/** Version that knows invite links, and the states of bases that carry some. */
export const LINK_LOG_VERSION = 2;
/** Most people whom one invite link lets in. */
export const MAX_LINK_USES = 99;
/** Most admins whom an invite link names as those who answer. */
export const MAX_LINK_ADMINS = 3;
/** Characters of the text of an invite link: more than any has. */
export const MAX_LINK_CHARS = 512;
/** Most links that one entry withdraws. */
export const MAX_ENTRY_LINKS = 8;
/** Invite links that a base carries on, the newest. */
export const MAX_BASE_LINKS = 8;
/** Entries since the last base after which the owner's device writes one. */
export const BASE_ENTRIES = 256;
/** The same where the last base has become useless by an entry beside it. */
export const LOST_BASE_ENTRIES = 64;
/** The same of entries of one person besides the owner: two such times leave that person half of what one may write. */
export const AUTHOR_BASE_ENTRIES = 32;
/** So many entries more for each of the owner's devices that come before. */
export const RANK_ENTRIES = 8;
/** In a log with little room the next base follows after this time, however few entries came meanwhile; of each further device later. */
export const FULL_LOG_MS = 600_000;
/** Entries of a log from which on people see that there is little room. */
export const LITTLE_ROOM_ENTRIES = 640;
