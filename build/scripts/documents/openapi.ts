// Writes docs/openapi.json from the endpoint table, and with --client the types that an independent generator makes of it for the tests.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createOpenApiDocument } from "#shared/api/openapi.ts";
import { run } from "../process.ts";

const DOCUMENT = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url));
const TYPES = fileURLToPath(new URL("../../../test/support/api/openapi-types.ts", import.meta.url));
/** It needs a TypeScript of its own, whose interface the native compiler of this project does not have: npm fetches both for the moment. */
const GENERATOR = ["openapi-typescript@7.13.0", "typescript@5.9.3"];
/** A field with a default may be left out of a request. */
const OPTIONS = ["--default-non-nullable", "false"];

writeFileSync(DOCUMENT, `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`);
if (process.argv.includes("--client")) {
  const packages = GENERATOR.flatMap((name) => ["--package", name]);
  process.exitCode = await run("npm", ["exec", "--yes", ...packages, "--", "openapi-typescript", DOCUMENT, ...OPTIONS, "-o", TYPES]);
  if (process.exitCode === 0) {
    const digest = createHash("sha256").update(readFileSync(DOCUMENT)).digest("hex");
    writeFileSync(TYPES, `// Made of docs/openapi.json (SHA-256 ${digest}) by ${GENERATOR[0]}.\n${readFileSync(TYPES, "utf8")}`);
  }
}
