// Vector files of test/vectors, read as JSON. The shape is the caller's statement.
import { readFileSync } from "node:fs";

/** Parsed content of test/vectors/`name`. */
export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), "utf8")) as T;
}
