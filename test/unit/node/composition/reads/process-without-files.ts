// Asks for contracts in a process that may open no more files, as when connections have taken all of them; then in one that may again.
import { closeSync, openSync } from "node:fs";
import { createContractProcess } from "#node/composition/reads/contract-process.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { createLog } from "#node/observability/log.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";

const [, , directory = ""] = process.argv;
const contracts = createContractProcess({
  directory,
  network: { chainId: "none", params: {} as never },
  isLight: true,
  clock: systemClock,
  log: createLog("json", { write: () => undefined }),
});

/** What comes of a trial of nothing, over nothing. */
function ask(): Promise<string> {
  const known = { tip: { chainId: "none", height: 1, timeMs: 1 }, records: [] };
  const call = {
    contractId: "00".repeat(8),
    method: "none",
    argsJson: "",
    caller: "00".repeat(32),
    amountUt: 0,
    gasLimit: 1,
    isReadOnly: true,
  };
  return contracts.runPass({ task: { call }, known }, { onHangUp: () => undefined }).then(
    () => "answered",
    (error: unknown) => (isCodedError(error) ? error.code : String(error)),
  );
}

// A node has listeners that keep it running.
const running = setInterval(() => undefined, 1_000);
const files: number[] = [];
try {
  for (;;) files.push(openSync("/dev/null", "r"));
} catch {
  // All are open.
}
const outcomes = [await ask(), await ask()];
for (const file of files) closeSync(file);
outcomes.push(await ask());
process.stdout.write(`${outcomes.join(" ")}\n`);
await contracts.stop();
clearInterval(running);
