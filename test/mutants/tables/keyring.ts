import { mutantsOf } from "../mutant.ts";

const LOCK = ["shared/keyring/auto-lock.test.ts"];
const VAULT = ["shared/keyring/vault/vault.test.ts", "shared/keyring/wiped-secrets.test.ts", "shared/keyring/shared-vault.test.ts"];
const INTERLEAVED = ["shared/keyring/vault/interleavings.test.ts"];
const PASSWORDS = ["shared/keyring/passwords"];
const LINKING = ["shared/linking"];

const PAIRS = ["shared/keyring/devices/pair-cards.test.ts"];
const CIPHER = ["shared/protocol/pairs"];
const AHEAD = ["shared/protocol/pairs/kem-ahead.test.ts"];

/** Keyring and the linking of devices. */
export const KEYRING = [
  ...mutantsOf("shared/keyring/auto-lock.ts", LOCK, [
    ["return Math.max(this.#clock", "return Math.min(this.#clock"],
    ["this.#leftMs(fullIdleMs) <= 0", "this.#leftMs(fullIdleMs) < 0"],
    ["Math.min(leftMs, MAX_TIMER_MS)", "leftMs"],
    [", longestOpenMs(idleMs) - this.#sinceMs(proven))", ")"],
  ]),
  ...mutantsOf("shared/keyring/passwords/estimate-password.ts", PASSWORDS, [
    ["estimate.guessesLog10 >= MIN_GUESSES_LOG10", "estimate.guessesLog10 >= MIN_GUESSES_LOG10 - 2"],
    ["!(await estimatePassword({ password })).isAcceptable", "(await estimatePassword({ password })).guessesLog10 < 0"],
  ]),
  ...mutantsOf("shared/keyring/vault/vault.ts", VAULT, [
    ["  wipe(slot, walletKey);", "  wipe(walletKey);"],
    ["  wipe(slot);\n  return device", "  return device"],
    ["    wipe(both, passwordSlotKey,", "    wipe(passwordSlotKey,"],
    ["requireBasis(newest, basisId);", ""],
    ["requireSame(newest?.header.id, basisId);", ""],
  ]),
  ...mutantsOf("shared/keyring/vault/vault-secrets.ts", VAULT, [
    ["  wipe(key);\n  return device", "  return device"],
    ["return { ...read, epochs, certificates,", "return { ...read,"],
  ]),
  ...mutantsOf("shared/keyring/vault/vault.ts", INTERLEAVED, [["requireSame(id, header.id)", "void id"]]),
  ...mutantsOf("shared/keyring/vault/vault-secrets.ts", INTERLEAVED, [
    ["secrets.phraseConfirmed || stored.phraseConfirmed", "secrets.phraseConfirmed"],
  ]),
  ...mutantsOf("shared/keyring/vault/vault-copies.ts", VAULT, [
    ["y.file.body.generation - x.file.body.generation", "x.file.body.generation - y.file.body.generation"],
    ["await this.repair(target, bytes, stored);", ""],
    ["if (stored !== undefined && equalBytes(stored, bytes)) return;", "if (stored !== undefined) return;"],
    ['good[0]?.copy === "a" ? "b" : "a"', 'good[0]?.copy === "a" ? "a" : "b"'],
    [
      "if (!(await this.#storage.replace(target, stored.bytes[target], bytes))) continue;",
      "await this.#storage.replace(target, stored.bytes[target], bytes);",
    ],
  ]),
  ...mutantsOf(
    "shared/keyring/open/shared-device.ts",
    ["shared/keyring/shared-vault.test.ts"],
    [["|| !(await this.refresh())) return opened", ") return opened"]],
  ),
  ...mutantsOf(
    "electron/preload/keyring-bridge.ts",
    ["electron/preload"],
    [
      ["if (isStoreKeys(value)) {", 'if (method === "storeKeys" && isStoreKeys(value)) {'],
      ["if (pending.has(id)) return refuse", "if (pending.size < 0) return refuse"],
    ],
  ),
  ...mutantsOf(
    "shared/keyring/devices/epoch-keys.ts",
    ["shared/keyring/keyring.test.ts"],
    [
      ["ageS >= EPOCH_ROTATION_S", "ageS > EPOCH_ROTATION_S"],
      ["this.#destroy(this.#dead(time, EPOCH_GRACE_S))", "this.#destroy(this.#dead(time, 0))"],
      ["return this.#epochs.at(-1);", "return this.#epochs.at(0);"],
    ],
  ),
  ...mutantsOf("shared/linking/link-channel.ts", LINKING, [
    ['mailboxes[side === "old" ? "fresh" : "old"]', "mailboxes[side]"],
    ["&& this.#kinds.has(message.kind)", ""],
    ["      this.#remember(item.id);\n", ""],
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
  ...mutantsOf("shared/keyring/devices/pair-cards.ts", PAIRS, [
    ["sentAt - (sentAt % HOUR_S)", "sentAt"],
    ["cardNumber(instance, id) === undefined", "false"],
    ["if (signature === null) return null;", "if (signature === null) continue;"],
    ["const [newest] = cardKeys;\n  return secrets", "const newest = cardKeys.at(-1);\n  return secrets"],
  ]),
  ...mutantsOf("shared/keyring/open/pair-device.ts", PAIRS, [
    ["cardKeys: cardKeys.slice(0, 1)", "cardKeys: cardKeys.slice(1)"],
    ["first.includes(null) && (await this.#shared.refresh())", "false"],
    ["cardKeys.length > 1 ? undefined", "cardKeys.length > 9 ? undefined"],
  ]),
  ...mutantsOf("shared/keyring/open/host-kem.ts", PAIRS, [["load().catch(() => undefined)", "load()"]]),
  ...mutantsOf("shared/protocol/pairs/kem-ahead.ts", AHEAD, [
    ["?.find((known) => equalBytes(known.secret, secret))", "?.find(() => true)"],
    [".get(toHex(publicKey))?.pop()", ".get(toHex(publicKey))?.at(-1)"],
    ["    wipe(...secrets);\n", ""],
    ["if (result?.some((byte) => byte !== 0) === true)", "if (result !== undefined)"],
  ]),
  ...mutantsOf("shared/protocol/pairs/pair-cipher.ts", CIPHER, [
    ["card.digest];", "];"],
    ["card.withDevice, card.psk", "card.withDevice"],
    ["card.withCard, card.withDevice", "card.withCard"],
    ["concatBytes(randomness, sha256(content))", "randomness"],
    ["...keys.map(fromHex), hedge, sha256(ciphertext)))", "...keys.map(fromHex), hedge))"],
  ]),
  ...mutantsOf("shared/protocol/pairs/pair-wire.ts", CIPHER, [
    ["return isOfPair === true ? PUBLIC_PAIR_FORM : PUBLIC_FORM;", "return PUBLIC_FORM;"],
    ["isPadded && frame.subarray(end).every((byte) => byte === 0)", "isPadded"],
    ["pairSize(length, form) === frame.length + SEALED_AT + fromBytes(form) + TAG_BYTES", "end <= frame.length"],
  ]),
];
