// Type check of the whole project by project references; arguments go to the compiler.
import { checkTypes } from "./type-check.ts";

process.exitCode = await checkTypes(process.argv.slice(2));
