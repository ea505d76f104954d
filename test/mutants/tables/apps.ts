import { mutantsOf } from "../mutant.ts";

const ALL = ["shared/apps"];

/** Connections of programs. */
export const APPS = [
  ...mutantsOf("shared/apps/judging/rolling-total.ts", ALL, [["<= PERIOD_PARTS", "< PERIOD_PARTS - 1"]]),
  ...mutantsOf("shared/apps/judging/two-clocks.ts", ALL, [
    ["return Math.min(highBlockMs", "return Math.max(highBlockMs"],
    ["return Math.max(highBlockMs", "return Math.min(highBlockMs"],
    ["highClockMs: Math.max(readings.highClockMs, clockMs)", "highClockMs: clockMs"],
  ]),
  ...mutantsOf("shared/apps/judging/app-tokens.ts", ALL, [["let difference = a.length ^ b.length;", "let difference = 0;"]]),
  ...mutantsOf("shared/apps/keyring/order-desk.ts", ALL, [
    ["totalUt <= scope.each && totalUt <= left", "totalUt <= scope.each"],
    ["known !== undefined && known.bodyHash !== bodyHash", "known === null"],
    [" && store.nowMs > lastMs", ""],
    ['if (history() === "needed") throw', 'if (history() === "missing") throw'],
    ['history() === "complete" && !store.isClockBehind', "!store.isClockBehind"],
    [" && !store.isClockBehind", ""],
    ["() => approvals.remove(id)", "() => undefined"],
  ]),
  ...mutantsOf("shared/apps/keyring/order-checks.ts", ALL, [
    ['if (scope.to !== "any" && !scope.to.includes(recipientOf(order))) throw', 'if (scope.to === "none") throw'],
    ["if (!scope.methods.includes(method)) throw", "if (!scope.methods) throw"],
  ]),
  ...mutantsOf("shared/apps/keyring/connection-desk.ts", ALL, [
    ["earlier > 0 ||", "earlier > 9 ||"],
    ["if (scopes.some(needsPassword) || days > DEFAULT_CONNECTION_DAYS)", "if (days > DEFAULT_CONNECTION_DAYS)"],
    ["    requireNarrower(scopes, request.scopes);\n", ""],
    ["if (connection.unusedUntilMs === undefined) return connection;", "if (connection.unusedUntilMs !== 0) return connection;"],
  ]),
  ...mutantsOf("shared/apps/keyring/approval-desk.ts", ALL, [
    ["const over = this.#entries;\n    this.#entries = [];", "const over = this.#entries;"],
  ]),
  ...mutantsOf("shared/apps/keyring/history-desk.ts", ALL, [
    ["if (unknown.length > 0) await", "if (unknown.length > 99) await"],
    ['known.outcome === "expired" ? "found"', 'known.outcome === "over" ? "found"'],
  ]),
  ...mutantsOf("shared/apps/storage/app-store.ts", ALL, [
    ["found >= this.ledger.generation && ", ""],
    ["Math.min(expiresMs, unusedUntilMs)", "expiresMs"],
    [" || this.nowMs >= endsAtClockMs", ""],
    ["this.connections.length > 0) return clocks", "this.connections.length >= 0) return clocks"],
    ["this.#follow(line, line.n > anchor)", "this.#follow(line)"],
    ["state.machine === machine && ", ""],
    [" && !this.#journal.isDamaged", ""],
    ["(found === vaultGeneration || found === vaultGeneration + 1)", "found > 0"],
  ]),
  ...mutantsOf("shared/apps/storage/app-ledger.ts", ALL, [
    ['new Set(["reserved", "committed", "failed", "found"])', 'new Set(["reserved", "committed", "failed"])'],
    ["ledger.lastOrder = Math.max(ledger.lastOrder, order);\n    const before", "const before"],
  ]),
];
