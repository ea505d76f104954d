// Writes docs/openapi.json from the endpoint table.
import { writeFileSync } from "node:fs";
import { createOpenApiDocument } from "#shared/api/openapi.ts";

const FILE = new URL("../../../docs/openapi.json", import.meta.url);

writeFileSync(FILE, `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`);
