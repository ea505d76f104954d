// Bounds of the gateway over PostgreSQL; docs/limits.md lists them.

/** Time between two looks for what other processes have stored, ms: most of the time from a message's arrival to its push. */
export const WAKE_INTERVAL_MS = 25;
/** The same after a failure, ms. */
export const WAKE_PAUSE_MS = 500;
/** Rows of `wake` are forgotten after this, s; who was away for longer lists again. */
export const WAKE_KEPT_S = 3_600;
/** Time between two rounds of forgetting what is too old, ms. */
export const MAINTENANCE_INTERVAL_MS = 60_000;
/** Notices that wait for a node, and their bytes; beyond either, clients' mail, deletions and openings are refused. */
export const WAITING_NOTICES = 250_000;
export const WAITING_NOTICE_BYTES = 4 * 1_073_741_824;
/** Notices that one round hands to a node. */
export const NOTICES_A_ROUND = 256;
/** Time after which a round begins no further request to a node, ms: its transaction must end before the database ends it. */
export const ROUND_MS = 5_000;
/** Pause between two looks for what nodes refused and is to be tried again, ms. */
export const RETRY_PAUSE_MS = 5_000;
/** Part of the room for what nodes refused from which on all mail is handed to a node before it is acknowledged, and time between two lines of the
 * log about it, ms. */
export const NEARLY_FULL = 0.75;
export const FULL_NOTICE_MS = 600_000;
/** Pause between rounds where there was nothing to do, or nothing could be done, ms. */
export const IDLE_PAUSE_MS = 250;
export const FAILURE_PAUSE_MS = 1_000;
/** A node that does not respond in this time counts as away, ms. */
export const NODE_TIMEOUT_MS = 10_000;
/** Bytes of a response of a node. */
export const NODE_RESPONSE_BYTES = 16 * 1_048_576;
/** The same of a page of blocks: calls may write 40 MiB into the log of one block, which is not to end the feed. */
export const FEED_RESPONSE_BYTES = 96 * 1_048_576;
/** Topics of the chain that clients listen to at once, over all connections. */
export const CHAIN_TOPICS = 1_536;
/** What clients are told to wait while the database or all nodes are away, s. */
export const RETRY_AFTER_S = 2;
/** Topics of one connection to a node, which takes 64. */
export const TOPICS_A_CONNECTION = 48;
/** Balances of senders that are remembered, and for how long, ms. */
export const KEPT_BALANCES = 16_384;
export const BALANCE_KEPT_MS = 10_000;
/** Time between two looks at the height of the chain, by which signatures of mailbox keys are judged, ms. */
export const HEIGHT_INTERVAL_MS = 10_000;
/** Pause between tries to start while the database or all nodes are away, ms. */
export const START_PAUSE_MS = 1_000;
/** Time between two looks whether the node's mailbox has all mail that there is, ms. */
export const ELSEWHERE_INTERVAL_MS = 10_000;
/** What a node said of a mailbox at other nodes is asked again after this, ms; a list waits so long for it, ms. */
export const ELSEWHERE_FRESH_MS = 2_000;
export const ELSEWHERE_WAIT_MS = 3_000;
/** Mailboxes that a process listens to at its node for those without a proof: a node takes 64 connections of an address. */
export const HEARD_BOXES = 768;
/** What the node says of is looked for in the database after this, ms, as all that comes into both is there by then; and how much waits so. */
export const HEARD_PAUSE_MS = 1_000;
export const HEARD_WAITING = 1_024;
/** Time between two looks whether the database has what a node had read, ms. */
export const FEED_LOOK_MS = 50;
/** Requests for owners at once, and for others; mailboxes that wait for one, beyond which lists are incomplete; and those that are remembered, with ids. */
export const ELSEWHERE_REQUESTS = 4;
export const ELSEWHERE_WAITING = 16_384;
export const ELSEWHERE_BOXES = 16_384;
export const ELSEWHERE_KEPT_IDS = 524_288;
/** Pages of a node that one list goes through. */
export const ELSEWHERE_PAGES = 8;
/** Readers that a process names to its node; beyond it those who read longest ago are forgotten. */
export const NAMED_READERS = 16_384;
/** Of these in one request. */
export const NAMED_A_REQUEST = 1_024;
/** Time between two looks for readers that are to be named, between two requests at most, by which a node that was started again is seen, and
 * after which all are named again, ms. */
export const NAMING_PAUSE_MS = 250;
export const NAMING_CHECK_MS = 5_000;
export const NAMING_AGAIN_MS = 600_000;
/** Pause of the process that feeds the explorer between two looks for a new block, ms: most of what a block waits for. */
export const FEED_PAUSE_MS = 100;
/** Time between two notes that the explorer has the node's newest block, ms. */
export const CURRENT_NOTE_MS = 500;
/** Time between two lines of the log about the first fill, ms. */
export const FILL_NOTICE_MS = 10_000;
/** The newest blocks are read from the database while it was level with the node so long ago at most, ms; then from the node. */
export const EXPLORER_LAG_MS = 3_000;
/** Pushes about a block wait for it to be in the database, so long at most, ms: longer than the lag above. */
export const PUSH_HOLD_MS = 3_500;
/** Time between two looks for it, ms. */
export const PUSH_LOOK_MS = 25;
/** Pushes that wait; beyond it all are made at once. */
export const HELD_PUSHES = 4_096;
/** Reads of the explorer that wait for the database; more are refused. */
export const EXPLORER_READS = 512;
/** Entries that a page of an account skips at most in the database; deeper pages are the node's. */
export const EXPLORER_OFFSET = 10_000;
/** Time in which the database is not asked after it failed, ms: the node is. */
export const EXPLORER_PAUSE_MS = 1_000;
/** Typing notices of this process that wait, those of one text of at most 7,999 bytes, and the pause between two texts, ms. */
export const TYPING_WAITING = 1_024;
export const TYPING_A_NOTICE = 92;
export const TYPING_PAUSE_MS = 50;
/** Rounds in which a read of the state asks the database, records of a round, and of the first and the largest range; beyond the rounds a node
 * is asked. */
export const STATE_ROUNDS = 64;
/** Such reads at once, each of which holds what it has read; others wait, as many as wait for the database. */
export const STATE_AT_ONCE = 8;
export const STATE_KEYS = 4_096;
export const FIRST_RANGE = 256;
export const LARGEST_RANGE = 4_096;
/** Time between two looks at replicas, and the time in which one has to answer: then the primary is asked, ms. */
export const REPLICA_LOOK_MS = 500;
export const REPLICA_WAIT_MS = 1_000;
