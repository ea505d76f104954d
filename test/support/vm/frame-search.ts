// Prints the fewest words that fill the native stack, over recursions of the seeds from the first argument on, as many as the second says.
import { setBaselineCompiler } from "#node/vm/baseline-compiler.ts";
import { fewestWords } from "./frame-shapes.ts";

const [from = 1, count = 40] = process.argv.slice(2).map(Number);
setBaselineCompiler();
process.stdout.write(JSON.stringify(fewestWords(from, count)));
