// What the tables say of where the blocks begin, and of what was dropped.

/** The highest block whose transactions were dropped. */
export const DROPPED_TO = "dropped_to";

/** The lowest height from which on each block has its header, once some were removed. */
export const FIRST_HEADER = "first_header";

/** SQL of the first one; null where nothing was dropped. */
export const DROPPED_TO_HEIGHT = `SELECT CAST(value AS INTEGER) FROM meta WHERE name = '${DROPPED_TO}'`;

/** SQL of the second one; null without any block. */
export const FIRST_HEADER_HEIGHT = `SELECT COALESCE((SELECT CAST(value AS INTEGER) FROM meta WHERE name = '${FIRST_HEADER}'),
  (SELECT MIN(height) FROM blocks))`;

/** SQL of the lowest block whose transactions are in a table or in a file; null without any. A chain that began with a state has none below. */
export const FIRST_HEIGHT =
  "SELECT MIN(height) FROM (SELECT MIN(first) AS height FROM segments UNION ALL SELECT MIN(height) FROM block_bodies)";
