// Loaded into a node's process before its program: sets its wall clock ahead, by as many milliseconds as the variable says.
const AHEAD_MS = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
const now = Date.now.bind(Date);
Date.now = (): number => now() + AHEAD_MS;
