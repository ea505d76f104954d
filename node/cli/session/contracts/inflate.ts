// Inflates what a deployer put into a module, up to a bound.
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import type { Inflate } from "#shared/content/contract-source.ts";

export const inflate: Inflate = (bytes, most) => promisify(inflateRaw)(bytes, { maxOutputLength: most }).catch(() => undefined);
