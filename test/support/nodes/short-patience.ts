// Loaded before a node's program: it waits for a state to begin with for so many milliseconds as `?ms=` says, instead of a minute.
import { changeLimits } from "./changed-limits.ts";

changeLimits({ JOIN_PATIENCE: { ms: Number(new URL(import.meta.url).searchParams.get("ms")) } });
