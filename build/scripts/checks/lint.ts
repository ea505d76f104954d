// Lint and format check of the whole project, and of the order of its folders; `--write` mends what can be mended.
import { lint } from "./lint-project.ts";

process.exitCode = await lint(process.argv.includes("--write"));
