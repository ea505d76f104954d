// The simulation with a bug in it: `node test/simulation/mutated-main.ts "<name of the bug>" [options of the simulation]`.
import { plant } from "./plant-mutation.ts";

const [name = ""] = process.argv.splice(2, 1);
plant(name);
await import("./main.ts");
