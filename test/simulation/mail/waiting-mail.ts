// How long mail waits for its reader in simulations, and how much of it there is. Assumptions, not measurements.

/** Envelopes that a person gets a day, and their size. */
export const ENVELOPES_A_DAY = 150;
export const ENVELOPE_BYTES = 900;
/** Mail is removed after this. */
export const TTL_HOURS = 720;

/** Readers: what part of the mail goes to them, and the mean time until they read, hours. The rest is never read. */
const READERS = [
  { part: 0.6, hours: 0.5 },
  { part: 0.3, hours: 24 },
  { part: 0.08, hours: 120 },
] as const;
const UNREAD = 0.02;

/** Part of an hour's mail that waits still, by its age in hours, from 0 on; 0 at the end. */
export const WAITING: readonly number[] = Array.from({ length: TTL_HOURS + 1 }, (_, age) =>
  age >= TTL_HOURS ? 0 : READERS.reduce((sum, { part, hours }) => sum + part * Math.exp(-age / hours), UNREAD),
);

/** Mean time for which mail waits, hours. */
export const MEAN_WAIT_HOURS = WAITING.reduce((sum, part) => sum + part, 0);

/** Bytes of mail that a person gets an hour. */
export const PERSON_BYTES_AN_HOUR = (ENVELOPES_A_DAY * ENVELOPE_BYTES) / 24;
