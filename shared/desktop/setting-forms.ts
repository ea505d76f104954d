// Forms and bounds of single settings, without the schema: the page checks what is typed by them and loads no validator for it.

/** Text of a checkpoint: height of a block above 0, a colon and its hash. */
export const CHECKPOINT_FORM = "^[1-9][0-9]{0,14}:[0-9a-f]{64}$";

/** A relay cannot ask more for a message, µT: a thousand T. */
export const MAX_RELAY_FEE_UT = 1_000_000_000;

/** Text of how long the node keeps old blocks: all, or days up to 27 years. */
export const RETAIN_FORM = "^(?:all|[1-9][0-9]{0,3}d)$";

/** Text of an address of releases: https, without a password. */
export const UPDATE_SOURCE_FORM = "^https://[^\\s@]+$";
