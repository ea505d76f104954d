// Lets the tests of a contract, wherever their folder is, import the harness as "parley/testing". Loaded with --import before them.
import { registerHooks } from "node:module";
import { recordGas } from "./gas-record.ts";

const HARNESS = new URL(import.meta.url.includes(".mjs") ? "./test-chain.mjs" : "./test-chain.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === "parley/testing" ? { url: HARNESS, shortCircuit: true } : nextResolve(specifier, context),
});

// Tests run in processes of their own, which this address reaches.
const { searchParams } = new URL(import.meta.url);
const file = searchParams.get("record");
if (file !== null) recordGas({ file, isProfile: searchParams.has("profile") });
