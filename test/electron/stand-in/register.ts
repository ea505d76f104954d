// Loaded before the shell: `electron` is the stand-in from here on, and the test may give orders.
import { registerHooks } from "node:module";
import { takeOrders } from "./control.ts";

const STAND_IN = new URL("./electron.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => (specifier === "electron" ? { url: STAND_IN, shortCircuit: true } : next(specifier, context)),
});
takeOrders();
