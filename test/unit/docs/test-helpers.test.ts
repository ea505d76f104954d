// test/README.md says of every file of test/support what it is for.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

it("test/README.md: exactly the files of test/support", () => {
  const page = readFileSync(`${ROOT}/test/README.md`, "utf8");
  const rows = [...page.matchAll(/^\| `([\w/-]+\.ts)` \| .+ \|$/gm)].map(([, file]) => file);
  const files = readdirSync(`${ROOT}/test/support`, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(rows.sort()).toEqual(files.sort());
});
