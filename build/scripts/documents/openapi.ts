// Writes docs/openapi.json from the endpoint table, docs/apps-openapi.json and the client's types from that for programs, and with --client
// the types that an independent generator makes of the first for the tests.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createOpenApiDocument } from "#shared/api/openapi.ts";
import { createAppsDocument } from "#shared/apps/api/apps-openapi.ts";
import { run } from "../process.ts";
import { createClientTypes } from "./client-types.ts";

const DOCUMENT = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url));
const APPS_DOCUMENT = fileURLToPath(new URL("../../../docs/apps-openapi.json", import.meta.url));
const CLIENT_TYPES = fileURLToPath(new URL("../../../client/api-types.ts", import.meta.url));
const TYPES = fileURLToPath(new URL("../../../test/support/api/openapi-types.ts", import.meta.url));
/** It needs a TypeScript of its own, whose interface the native compiler of this project does not have: npm fetches both for the moment. */
const GENERATOR = ["openapi-typescript@7.13.0", "typescript@5.9.3"];
/** A field with a default may be left out of a request. */
const OPTIONS = ["--default-non-nullable", "false"];

writeFileSync(APPS_DOCUMENT, `${JSON.stringify(createAppsDocument(), null, 2)}\n`);
writeFileSync(CLIENT_TYPES, createClientTypes());
writeFileSync(DOCUMENT, `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`);
if (process.argv.includes("--client")) {
  const packages = GENERATOR.flatMap((name) => ["--package", name]);
  process.exitCode = await run("npm", ["exec", "--yes", ...packages, "--", "openapi-typescript", DOCUMENT, ...OPTIONS, "-o", TYPES]);
  if (process.exitCode === 0) {
    const digest = createHash("sha256").update(readFileSync(DOCUMENT)).digest("hex");
    writeFileSync(TYPES, `// Made of docs/openapi.json (SHA-256 ${digest}) by ${GENERATOR[0]}.\n${readFileSync(TYPES, "utf8")}`);
  }
}
