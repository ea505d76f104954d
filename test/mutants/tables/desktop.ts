import { mutantsOf } from "../mutant.ts";

const DUTIES = ["electron/main/node-duties.test.ts"];
const SIGHT = ["electron/main/window-sight.test.ts"];

/** The shell: what it confirms, and what it says of its window. */
export const DESKTOP = [
  ...mutantsOf("electron/main/processes/node-duties.ts", DUTIES, [
    ["!(await confirm(decision))", '!(await confirm(decision)) && duty.duty === "apply"'],
    ['if (duty.duty === "withdraw_bond") return undefined;', 'if (!duty.duty.startsWith("a")) return undefined;'],
    ["if (serving()?.secret !== node.secret) throw", "if (serving() === undefined) throw"],
    ["authorization: `Bearer $", "authorization: `Basic $"],
    ["amountUt: duty.amount_ut", "amountUt: duty.amount_ut + 1"],
    ["bondUt: await bondOf(fetch, node)", "bondUt: 0"],
    ["if (text.length > MAX_RESPONSE_BYTES) return undefined;", ""],
    ["if (!response.ok) throw", "if (response.status > 499) throw"],
    ['if (typeof key !== "string" || !isHex(key, 32)) throw', 'if (typeof key === "number") throw'],
  ]),
  ...mutantsOf("electron/main/desktop-app.ts", SIGHT, [
    ['"focus", "blur", "minimize"', '"focus", "minimize"'],
    [" && !this.#window.isMinimized()", ""],
    ["this.isWindowVisible && this.#window?.isFocused() === true", "this.isWindowVisible"],
  ]),
  ...mutantsOf("electron/main/windows/create-window.ts", SIGHT, [["backgroundThrottling: false", "backgroundThrottling: true"]]),
];
