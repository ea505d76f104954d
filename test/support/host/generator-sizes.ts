// Makes a generator of fast-check reach the length that it names: by default `array({ maxLength: 200 })` stops at ten elements. A generator
// without a maximum keeps fast-check's small default. A property that names no seed has this one: each run tests the same. Counters start
// at 1, and databases are new ones. Runs before every file of unit tests, also where files share a process.
import fc from "fast-check";
import { beginCounters } from "./file-counter.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true, seed: 20_260_101 });
beginCounters();
const { indexedDB: earlier } = globalThis as { readonly indexedDB?: IDBFactory };
if (earlier !== undefined) globalThis.indexedDB = new (earlier.constructor as new () => IDBFactory)();
