// Writes what is made from the shared tables: the golden vectors and the page of error codes.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorsDocument } from "./errors-document.ts";
import { protocolVectors } from "./protocol-vectors.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
mkdirSync(`${root}/test/vectors`, { recursive: true });
writeFileSync(`${root}/test/vectors/protocol.json`, `${JSON.stringify(protocolVectors(), null, 2)}\n`);
writeFileSync(`${root}/docs/errors.md`, errorsDocument());
