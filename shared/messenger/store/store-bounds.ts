// How much, and for how long, the local store keeps what waits for something else.

/** Arrivals whose order is known. */
export const MAX_ARRIVALS = 100_000;
/** Receipts and changes whose message never came, and what was sent, are forgotten after this time: as long as mailboxes keep mail. */
export const RETENTION_MS = 30 * 86_400_000;
/** What was sent in a pair's chain is forgotten after this time. */
export const PAIR_RETENTION_MS = 90 * 86_400_000;
/** Changes of one message by one person that are stored until it arrives: no one takes the room of another one's. */
export const MAX_WAITING_AMENDMENTS = 32;
/** People whose changes of one message are stored until it arrives: more than a group has. */
export const MAX_WAITING_AUTHORS = 128;
/** Answers to one message that may repeat words of it; further ones repeat nothing. So many are changed when the message goes. */
export const MAX_TIED_ANSWERS = 64;
