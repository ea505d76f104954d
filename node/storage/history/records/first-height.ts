// The lowest block whose transactions are in a table or in a file. A chain that began with the state of a height has none below.

/** SQL of it; null without any block. */
export const FIRST_HEIGHT =
  "SELECT MIN(height) FROM (SELECT MIN(first) AS height FROM segments UNION ALL SELECT MIN(height) FROM block_bodies)";
