// The names of contracts, written by several processes of one user at once: none loses what another one has written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { projectRoot, runProgram } from "#test/support/nodes/run-program.ts";

const WRITERS = 8;
const NAMES_EACH = 10;
const MODULE = pathToFileURL(join(projectRoot, "node/cli/session/names/contract-names.ts")).href;

it("keeps every name that eight writers give at once", async () => {
  const folder = await createTemporaryFolder();
  const file = join(folder.path, "contract-names.json");
  const write = (writer: number): ReturnType<typeof runProgram> => {
    const script = `import { rememberContract } from ${JSON.stringify(MODULE)};
for (let n = 0; n < ${NAMES_EACH}; n += 1)
  await rememberContract("name-${writer}-" + n, "0123456789abcdef", { file: ${JSON.stringify(file)}, chainId: "chain-${writer % 2}" });`;
    return runProgram(process.execPath, ["--input-type=module", "--eval", script]);
  };
  const results = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, ""]));
  const chains = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  expect(Object.values(chains).map((names) => Object.keys(names).length)).toEqual([40, 40]);
  await folder.remove();
});
