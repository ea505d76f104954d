import { mutantsOf } from "../mutant.ts";

const TESTS = ["node/relay/keepers/carry"];

/** Mail through carriers. */
export const CARRIERS = [
  ...mutantsOf("node/relay/keepers/carry/carry-seal.ts", TESTS, [
    ["this.#context = concatBytes(fromHex(key), fromHex(x25519), once)", "this.#context = concatBytes(fromHex(x25519), once)"],
    ["this.#salt = nativeSha256(", 'this.#salt = nativeSha256(utf8("") ?? '],
    ["const info = concatBytes(", 'const info = concatBytes(utf8("") ?? '],
    ["this.#context, fresh)", "this.#context)"],
    ["size >= message.length + LENGTH_BYTES", "size >= message.length"],
    ["if (!CARRY_CLASSES.some((size) => size === length)) return undefined;", ""],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carrier-choice.ts", TESTS, [
    ["const month = monthOf(directory);", "const month = 0;"],
    ["key !== ownKey && ", ""],
    [" && !isUnable(key)", ""],
    ["independentKeepers(ordered, carriers + standingIn)", "ordered.slice(0, carriers + standingIn)"],
    ["key !== keeper.key && network", "network"],
    ["network !== keeper.network && ", ""],
    [" && wallet !== keeper.wallet", ""],
    ["const ordered = inOrder(apart, (key) => ", "const ordered = inOrder(apart, (key) => key || "],
    ['createHmac("sha256", secret)', 'createHmac("sha256", "")'],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carried-mail.ts", TESTS, [
    ["members < this.#limits.leastMembers", "members < 2"],
    ["return this.#readers.count < this.#limits.readers", "return true"],
    ["|| !isCarried(request) ", ""],
    ['tried.every(({ is }) => is === "unknown")', 'tried.some(({ is }) => is === "unknown")'],
    ["tried.length >= Math.min(this.#limits.tries, carriers.length)", "true"],
    ['is === "unreachable" || is === "unknown"', 'is === "unknown"'],
    [" || !isResponseTo(part.request, response)) return", ") return"],
    ["clock.monotonicMs() - watch.sinceMs < this.#limits.renewMs", "true"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carrier-circle.ts", TESTS, [
    ["return ordered.toSorted((a, b) => untilMs(a) - untilMs(b));", "return ordered;"],
    ["return until > nowMs ? until : 0;", "return until;"],
    ["    this.#note(this.#unable, key);\n", ""],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carried-service.ts", TESTS, [
    ["if (carrier === null || ranks.find(carrier) === undefined) return UNKNOWN;", ""],
    ["if (epoch < ranks.epoch - 1)", "if (epoch < 0)"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carrier.ts", TESTS, [
    ["keeper === ownKey ? undefined : find(keeper)", "find(keeper)"],
    ["passing >= this.#limits.passingByNode || ", ""],
    ["!this.#requests.take(party, nowMs) || ", ""],
    ["if (known !== undefined && known.asker !== asker) return false;", ""],
    ["count >= this.#limits.tokensByNode || ", ""],
    ["untilMs > nowMs) continue;", "untilMs > 0) continue;"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/own-watches.ts", TESTS, [
    ["|| news.number <= held.number", ""],
    ["request.boxes.every((box) => box === held.box)", "true"],
    ["request.isNews && ", ""],
    ["if (held?.carrier !== carrier) return undefined;\n    const message", "if (held === undefined) return undefined;\n    const message"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/split-request.ts", TESTS, [
    ["isSameRun ? [after, afterDeletion] : [0, 0]", "[after, afterDeletion]"],
    ["lastDeletion, hasMore: true", "lastDeletion, hasMore: false"],
    ["if (!isWhole) throw problem;", ""],
  ]),
  ...mutantsOf("node/relay/keepers/carry/box-scopes.ts", TESTS, [["=== request.scope) return part;", "!== undefined) return part;"]]),
  ...mutantsOf("node/relay/keepers/carry/carried-watches.ts", TESTS, [
    ["if (untilMs <= nowMs) this.#forget(name);", "if (untilMs <= 0) this.#forget(name);"],
  ]),
  ...mutantsOf(
    "node/network/flow/outbound-turns.ts",
    ["node/network/flow/outbound-turns.test.ts"],
    [
      ["if (next !== undefined) next();\n      else line", "line"],
      ["|| line.waiting.size >= this.#limits.waiting", ""],
    ],
  ),
];
