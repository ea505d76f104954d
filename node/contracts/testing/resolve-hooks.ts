// Lets the tests of a contract, wherever their folder is, import the harness as "parley/testing". Loaded with --import before them.
import { registerHooks } from "node:module";

const HARNESS = new URL("./test-chain.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === "parley/testing" ? { url: HARNESS, shortCircuit: true } : nextResolve(specifier, context),
});
