import { mutantsOf } from "../mutant.ts";

const DUTIES = ["electron/main/node-duties.test.ts"];
const SIGHT = ["electron/main/window-sight.test.ts"];
const NOTICES = ["electron/main/app-notices.test.ts"];

/** The shell: what it confirms, what it gives notice of, and what it says of its window. */
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
  ...mutantsOf("electron/main/apps/app-notices.ts", NOTICES, [
    ["wasCopied && this.#live.includes(id)", "wasCopied"],
    ["wasCopied && this.#live.includes(id)", "this.#live.includes(id)"],
    ["this.#live = connections.map(({ id }) => id);", ""],
    ["locked.slice(0, 1)", "locked"],
    ["waiting.findLast(", "waiting.find("],
    ["fresh === undefined && waiting.length > 0", "fresh === undefined"],
    ["this.#shown?.close();", ""],
    ["if (fresh !== undefined) this.#shown = this.#notify(", "if (fresh !== undefined) this.#notify("],
    ["shown?.onClick(this.#options.open);", ""],
    ['preview === "hidden" ? hidden : text', "text"],
    ['if (preview === "off") return undefined;', ""],
    ["words.copied(name), words.copiedHidden", "words.copied(name), words.hidden"],
    ["WORDS[language]", "WORDS.en"],
    ["localAmount(amountUt, language)", 'localAmount(amountUt, "en")'],
  ]),
];
