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
  ...mutantsOf("node/relay/keepers/carry/day-shares.ts", TESTS, [
    ["if (day !== this.#day) this.#used.clear();", ""],
    ['this.#used.size < this.#parties ? party : ""', "this.#used.size < this.#parties ? party : party"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carrier.ts", TESTS, [
    ["this.#days.take(networkOf(from), nowMs, sealed.length)", "this.#days.take(networkOf(from), nowMs, 0)"],
  ]),
  ...mutantsOf(
    "node/relay/keepers/serving/keeper-service.ts",
    ["node/relay/keepers/keeper-service.test.ts"],
    [
      ["return isCarried ? carriedSource(source) : source;", "return source;"],
      ["most: most / KEEPER_LIMITS.carriedShare }", "most }"],
    ],
  ),
  ...mutantsOf(
    "node/relay/owners/opened-boxes.ts",
    ["node/relay/keepers/keeper-service.test.ts"],
    [
      ["ofParty >= carriedBoxes || ", ""],
      [" || carried >= Math.floor((mostForeign * carriedPercent) / 100)", ""],
    ],
  ),
  ...mutantsOf("node/relay/keepers/carry/carrier-choice.ts", TESTS, [
    ["const month = monthOf(directory);", "const month = 0;"],
    ["key !== ownKey && ", ""],
    [" && !isUnable(key)", ""],
    ["independentKeepers(ordered, carriers + standingIn)", "ordered.slice(0, carriers + standingIn)"],
    ["key !== keeper.key && network", "network"],
    ["network !== keeper.network && ", ""],
    [" && wallet !== keeper.wallet", ""],
    ["const ordered = inOrder(some, (key) => ", "const ordered = inOrder(some, (key) => key || "],
    ["place % some.length", "0"],
    [".reverse()", ""],
    ['createHmac("sha256", secret)', 'createHmac("sha256", "")'],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carried-mail.ts", TESTS, [
    ["members < this.#limits.leastMembers", "members < 2"],
    ["return this.#readers.count < this.#limits.readers", "return true"],
    ["&& isCarried(request) ", ""],
    ["ranks.find(ownKey) === undefined ? this.ask : askDirectly", "askDirectly"],
    [
      "if (found === undefined) throw",
      "if (found === undefined) return await askDirectly(keeper, request, signal); else if (!found) throw",
    ],
    ['if (is !== "nothing") this.#circle.noteNoWay(carrier.key, keeper.key)', "this.#circle.noteWorked(carrier.key, keeper.key)"],
    ['if (isWatch && response.type === "done") this.#endDirectWatch(keeper.key);', ""],
    ["each.sinceMs > sinceMs", "false"],
    ['if (token !== null && response.type === "busy") return { is: "busy" };', ""],
    ['is === "unreachable" || is === "unknown"', 'is === "unknown"'],
    [" || !isResponseTo(part.request, response)) return", ") return"],
    ["clock.monotonicMs() - watch.sinceMs < this.#limits.renewMs", "true"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carrier-circle.ts", TESTS, [
    ["return ordered.toSorted((a, b) => untilMs(a) - untilMs(b));", "return ordered;"],
    ["return until > nowMs ? until : 0;", "return until;"],
    ["    this.#unable.set(key, clock.monotonicMs() + limits.unsupportedMs);\n", ""],
    ["[key, wayOf(key, keeper.key)].map(", "[key].map("],
    ["return Math.max(0, ...places);", "return 0;"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carried-service.ts", TESTS, [
    ["if (carrier === null || ranks.find(carrier) === undefined) return UNKNOWN;", ""],
    ["if (epoch < ranks.epoch - 1)", "if (epoch < 0)"],
  ]),
  ...mutantsOf("node/relay/keepers/carry/carrier.ts", TESTS, [
    ["keeper === ownKey ? undefined : find(keeper)", "find(keeper)"],
    ["passing >= this.#limits.passingByNode || ", ""],
    ["!this.#requests.take(party, nowMs) || ", ""],
    ["this.#bytes.spend(party, clock.monotonicMs(), outcome.sealed.length);", ""],
    ["if (known !== undefined && known.asker !== asker) return false;", ""],
    ["count >= tokensByNode || ", ""],
    ["atKeeper >= tokensAtKeeper || ", ""],
    ["untilMs > nowMs) continue;", "untilMs > 0) continue;"],
    ["!missing.has(peer) || !this.#missed.has(peer)", "!missing.has(peer)"],
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
  ...mutantsOf("node/relay/keepers/carry/carried-rows.ts", TESTS, [["untilS !== 0 && untilS <= nowS", "false"]]),
  ...mutantsOf(
    "node/network/flow/outbound-turns.ts",
    ["node/network/flow/outbound-turns.test.ts"],
    [
      ["if (next !== undefined) next();\n      else line", "line"],
      ["|| line.waiting.size >= this.#limits.waiting", ""],
    ],
  ),
  ...mutantsOf(
    "node/network/traffic/carry-requests.ts",
    ["node/network/traffic/carry-requests.test.ts"],
    [
      ["await until(peers.reach(target), signal)", "await peers.reach(target)"],
      ["    await this.#untilRate(target, signal);\n", ""],
    ],
  ),
];
