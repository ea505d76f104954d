// Loaded before a node's program: files of old blocks that a short chain fills, of so many blocks as `?blocks=` says.
import { changeLimits } from "./changed-limits.ts";

const LEAST_BLOCKS = 4;
const asked = new URL(import.meta.url).searchParams.get("blocks");

changeLimits({ SEAL_LIMITS: { depth: 12, maxBlocks: asked === null ? LEAST_BLOCKS : Number(asked) } });
