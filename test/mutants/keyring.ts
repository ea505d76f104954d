import { mutantsOf } from "./mutant.ts";

const LOCK = ["shared/keyring/auto-lock.test.ts"];
const VAULT = ["shared/keyring/vault/vault.test.ts", "shared/keyring/wiped-secrets.test.ts"];
const LINKING = ["shared/linking"];

/** Keyring and the linking of devices. */
export const KEYRING = [
  ...mutantsOf("shared/keyring/auto-lock.ts", LOCK, [
    ["return Math.max(this.#clock", "return Math.min(this.#clock"],
    ["idleMs >= fullIdleMs", "idleMs > fullIdleMs"],
    ["Math.min(limitMs - idleMs, MAX_TIMER_MS)", "limitMs - idleMs"],
  ]),
  ...mutantsOf("shared/keyring/vault/vault.ts", VAULT, [
    ["  wipe(slot, walletKey);", "  wipe(walletKey);"],
    ["  wipe(slot, deviceKey);", "  wipe(slot);"],
    ["    wipe(both, passwordSlotKey,", "    wipe(passwordSlotKey,"],
    ["y.file.body.generation - x.file.body.generation", "x.file.body.generation - y.file.body.generation"],
    ["await this.#repair(target, bytes);", ""],
    ["if (stored === undefined || !equalBytes(stored, bytes))\n      throw", "if (stored === undefined)\n      throw"],
    ['good[0]?.copy === "a" ? "b" : "a"', 'good[0]?.copy === "a" ? "a" : "b"'],
  ]),
  ...mutantsOf(
    "shared/keyring/devices/epoch-keys.ts",
    ["shared/keyring/keyring.test.ts"],
    [
      ["EPOCH_LIFETIME_S + EPOCH_ROTATION_S <= nowS", "EPOCH_LIFETIME_S + EPOCH_ROTATION_S < nowS"],
      ["this.#destroyBefore(nowS - EPOCH_GRACE_S)", "this.#destroyBefore(nowS)"],
      ["b.notAfter - a.notAfter", "a.notAfter - b.notAfter"],
    ],
  ),
  ...mutantsOf("shared/linking/link-channel.ts", LINKING, [
    ['mailboxes[side === "old" ? "fresh" : "old"]', "mailboxes[side]"],
    ["&& this.#kinds.has(message.kind)", ""],
    ["        this.#read.add(item.id);\n", ""],
  ]),
  ...mutantsOf("shared/linking/link-code.ts", LINKING, [
    ["if (!isWhole || symbols.at(-1) !== checkSymbol(body))", "if (!isWhole)"],
    ["if (body.slice(SECRET_SYMBOLS) !== networkSymbols(chainId))", "if (body === chainId)"],
  ]),
  ...mutantsOf(
    "shared/linking/link-keys.ts",
    [...LINKING, "shared/keyring/devices/device-linking.test.ts"],
    [["equalBytes(commitment, commitmentTo(freshPub, nonce))", "commitmentTo(freshPub, nonce).length === commitment.length"]],
  ),
];
