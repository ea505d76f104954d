// What a node does when nothing else is said. Without imports: help of the command line names them.

/** Address of the API: this machine only. */
export const DEFAULT_STATS_ADDRESS = "127.0.0.1:8080";

/** Minutes between two heartbeats: a quiet network stays quiet. */
export const DEFAULT_HEARTBEAT_MINUTES = 30;
