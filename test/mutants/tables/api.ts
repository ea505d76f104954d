import { mutantsOf } from "../mutant.ts";

const SECURITY = ["node/api/security"];
const SOCKET = ["node/api/websocket"];

/** Who may use the interface, and what connections leave behind. */
export const API = [
  ...mutantsOf("node/api/security/access-guard.ts", SECURITY, [
    ["this.#rates.take(addressGroup(request.ip))", "this.#rates.take(request.ip)"],
    ["(!this.#options.limitsLoopback && this.#isOfThisMachine(request)) ||", "!this.#options.limitsLoopback ||"],
    ['isPrivate && access !== "open"', "isPrivate && access === undefined"],
    ['if (requestOrigin === "foreign" ||', 'if (requestOrigin === "none" ||'],
    ['access === "mailbox" && openPart === "chain"', "openPart === undefined"],
    ["given === undefined || !this.#isSecretRight(given)", "!this.mayWrite(request)"],
    ["if (!this.looksLocal(request)) throw", "if (this.looksLocal(request) && !this.isOwn(request)) throw"],
    ['FOREIGN_PAGE.has(request.headers["sec-fetch-site"])', 'request.headers["sec-fetch-site"] === "foreign"'],
    ['request.routeOptions.config.access !== "socket") return bearer', "false) return bearer"],
  ]),
  ...mutantsOf(
    "node/duties/requested-duties.ts",
    ["node/duties/requested-duties.test.ts"],
    [
      ["    if (waiting !== undefined) return await waiting;\n", ""],
      ["id === undefined || !this", "id !== undefined && !this"],
      ["!this.#options.isPending(id)) this", "this.#options.isPending(id)) this"],
      ["if (key === own) throw", "if (key === undefined) throw"],
      ["wanted.includes(undefined) ||", ""],
      ["if (to === own) throw", 'if (to === "") throw'],
      ["wallet_pub: own, wallet_sig: agreement", "wallet_pub: own, wallet_sig: toBase64(key.secret)"],
    ],
  ),
  ...mutantsOf(
    "node/duties/duty-checks.ts",
    ["node/duties/requested-duties.test.ts"],
    [
      ["+ leastFeeOf(context));", ");"],
      ["readUnbonding(state, key.publicKey)?.amountUt ?? 0", "0"],
      ["assertFunds(context, amountUt + leastFeeOf(context))", "assertFunds(context, amountUt)"],
      ["readWallet(state, key.publicKey) === key.publicKey", "readWallet(state, key.publicKey) === undefined"],
      ["availableAtMs > clock.nowMs()", "availableAtMs < clock.nowMs()"],
      ["readValidators(context.state).length === 1", "readValidators(context.state).length === 0"],
      ["    assertApprover(context);\n    refuseIf(isMember(context, candidate)", "    refuseIf(isMember(context, candidate)"],
    ],
  ),
  ...mutantsOf("node/api/security/rate-limiter.ts", SECURITY, [
    ["    this.#buckets.set(address, bucket);\n", ""],
    ["Math.min(requestBurst, bucket.tokens", "Math.max(requestBurst, bucket.tokens"],
    ["    bucket.atMs = nowMs;\n", ""],
    ["if (owed > 0) return", "if (owed > requestsPerSecond) return"],
  ]),
  ...mutantsOf("node/api/security/client-address.ts", SECURITY, [
    ['  "forwarded",\n', ""],
    ["Number(port) === socket.localPort", "port !== undefined"],
    ["const GROUPS_OF_ADDRESS = 4;", "const GROUPS_OF_ADDRESS = 5;"],
  ]),
  ...mutantsOf("node/api/security/used-proofs.ts", SECURITY, [
    ["    this.#used.set(mac, { unixSeconds, address });\n", ""],
    ["    if (isLasting) this.#store?.add(", "    if (!isLasting) this.#store?.add("],
    ["sort((a, b) => b.size - a.size)", "sort((a, b) => a.size - b.size)"],
    [">= this.#limits.usedProofsPerAddress", "> this.#limits.usedProofsPerAddress"],
  ]),
  ...mutantsOf("node/api/http/register-endpoints.ts", SECURITY, [["!ofPath.includes(name)", "name !== undefined"]]),
  ...mutantsOf("node/api/security/origin-check.ts", SECURITY, [
    ['return allowed.has(lower) ? "allowed" : "foreign";', 'return allowed.has(lower) ? "allowed" : "none";'],
  ]),
  ...mutantsOf("node/api/websocket/socket-connection.ts", SOCKET, [
    ["for (const [form, name] of this.#topics) this.#context.hub.unsubscribe(name, form, this);", ""],
    ["if (name !== undefined) this.#context.hub.unsubscribe(name, form, this);", ""],
    ["!this.#topics.has(form) && count >= most", "!this.#topics.has(form) && count > most"],
    ["this.#topics.size - this.#inboxes", "this.#topics.size"],
    ["if (!this.#rights.mayWrite)", "if (this.#rights.mayWrite === undefined)"],
    ["this.#keys.size >= limits.authenticatedKeys", "this.#keys.size > limits.authenticatedKeys"],
    ["    this.#isAlive = false;\n", ""],
    ["      this.#refused = 0;\n", ""],
  ]),
];
