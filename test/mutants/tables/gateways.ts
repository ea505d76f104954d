import { mutantsOf } from "../mutant.ts";

const PUBLIC = "node/gateway/public";
const POSTGRES = "node/storage/mailbox/sharing/postgres";
const EXPLORER = [`${PUBLIC}/explorer.test.ts`, `${PUBLIC}/fed-blocks.test.ts`];
const REFUSED = [`${PUBLIC}/refused-mail.test.ts`];
const CLIENTS = [`${PUBLIC}/client-notices.test.ts`];
const HELD = ["node/relay/held-mail.test.ts"];

/** Gateways over PostgreSQL, and what a node does for its owner and them. */
export const GATEWAYS = [
  ...mutantsOf(`${PUBLIC}/explorer/fed-blocks.ts`, EXPLORER, [
    [" || block.parentHash !== before.hash", ""],
    ["block.height !== before.height + 1 || ", ""],
  ]),
  ...mutantsOf(`${POSTGRES}/explorer/explorer-writer.ts`, EXPLORER, [
    ["AND hash IS NOT DISTINCT FROM decode($6, 'hex')", "OR hash IS DISTINCT FROM decode($6, 'hex')"],
  ]),
  ...mutantsOf(`${PUBLIC}/exchange/notice-sender.ts`, REFUSED, [
    [" && status !== UNKNOWN && status !== TOO_MANY", ""],
    ['if (kind !== "envelope" && ', "if ("],
    ['if (outcome === "taken") done.push(notice.n);', "done.push(notice.n);"],
  ]),
  ...mutantsOf(`${PUBLIC}/exchange/notice-sender.ts`, CLIENTS, [
    ['if (client !== null || kind === "deletion") {', 'if (kind === "deletion") {'],
    ["status === UNKNOWN || status === NOT_THERE", "status === NOT_THERE"],
  ]),
  ...mutantsOf("node/relay/mail-source.ts", CLIENTS, [["return details.isLasting === true;", "return false;"]]),
  ...mutantsOf(`${POSTGRES}/mail/refused-notices.ts`, CLIENTS, [
    [
      "SELECT DISTINCT client FROM refused_notices WHERE client IS NOT NULL AND",
      "SELECT DISTINCT client FROM refused_notices WHERE client IS NULL AND",
    ],
  ]),
  ...mutantsOf(
    "node/api/security/access-guard.ts",
    ["node/api/security/client-notices.test.ts"],
    [["config.isForGateways === true && this.holdsSecret(request);", "config.isForGateways === true;"]],
  ),
  ...mutantsOf(`${POSTGRES}/mail/refused-notices.ts`, REFUSED, [
    [" WHERE held.count + sized.count <= $7 AND held.bytes", " WHERE held.bytes"],
    ["<< least(tries,", "<< least(0 * tries,"],
    [" AND held.bytes + sized.bytes <= $8", ""],
    ["CASE WHEN why.uncertain THEN $4::bigint ELSE refused_at END", "refused_at"],
    [" AND n = ANY($2::bigint[]) RETURNING n, kind", " AND n = ANY($2::bigint[]) IS NOT NULL RETURNING n, kind"],
  ]),
  ...mutantsOf(
    `${PUBLIC}/node-links.ts`,
    [`${PUBLIC}/node-links.test.ts`],
    [
      ["[TOO_MANY, UNKNOWN, 502, UNAVAILABLE, 504]", "[TOO_MANY, 502, UNAVAILABLE, 504]"],
      ["[TOO_MANY, UNKNOWN, 502, UNAVAILABLE, 504]", "[UNKNOWN, 502, UNAVAILABLE, 504]"],
      ["[TOO_MANY, UNKNOWN, 502, UNAVAILABLE, 504]", "[UNKNOWN, TOO_MANY, 502, UNAVAILABLE, 504]"],
      ["[TOO_MANY, UNKNOWN, 502, UNAVAILABLE, 504]", "[TOO_MANY, 502, UNAVAILABLE, 504, UNKNOWN]"],
      ["if (isRefused || isThere(response)) continue;", "if (isRefused) continue;"],
      [" || (status === UNAVAILABLE && code === FULL)", ""],
      ["code === FULL", "true"],
      ["isThere(response) ? 0 : ", ""],
      ["refusals.length === nodes ? refusal :", "refusal.status > 0 ? refusal :"],
    ],
  ),
  ...mutantsOf(`${PUBLIC}/exchange/refused-mail.ts`, REFUSED, [
    ["if (!(isKnown || this.isNearlyFull)) return;", "if (!isKnown) return;"],
    ["if (isUncertain) return", "if (false) return"],
    ["if (isKnown) return new HttpError", "return new HttpError"],
  ]),
  ...mutantsOf(
    `${PUBLIC}/gateway-mail.ts`,
    [`${PUBLIC}/gateway-mail.test.ts`],
    [["await this.#dependencies.askFirst?.(noticeOf(envelope, admission, client), envelope.recipient_pub);", ""]],
  ),
  ...mutantsOf(
    "node/relay/readers/gateway-readers.ts",
    ["node/relay/gateway-readers.test.ts"],
    [
      ["> own + 1;", "> own;"],
      ['named === "" ? (known?.party ?? "") : named;', "named;"],
      ["(!isOfOther && found.readAtMs >= readAtMs)", "found.readAtMs >= readAtMs"],
      ["other.readAtMs - one.readAtMs", "one.readAtMs - other.readAtMs"],
    ],
  ),
  ...mutantsOf(`${POSTGRES}/alone.ts`, EXPLORER, [["lock?.is_mine === true ?", "lock !== undefined ?"]]),
  ...mutantsOf(
    `${PUBLIC}/explorer/push-gate.ts`,
    [`${PUBLIC}/push-gate.test.ts`],
    [
      ["height === undefined || isLate ?", "height === undefined ?"],
      ["this.#held.length === 0 && height <=", "height <="],
      ["Promise.race([explorer.currentHeight(), promise])", "explorer.currentHeight()"],
    ],
  ),
  ...mutantsOf(
    `${PUBLIC}/explorer/state-explorer.ts`,
    [`${PUBLIC}/state-explorer.test.ts`],
    [
      ["if (!isWhole || ", "if ("],
      ["guard.assertCurrent(state);", ""],
      ["if (guard.isPaused) throw new ElsewhereError();", ""],
    ],
  ),
  ...mutantsOf(
    `${PUBLIC}/explorer/replicas.ts`,
    [`${PUBLIC}/replicas.test.ts`],
    [
      ["(height ?? -1) < this.#dependencies.shown() || ", ""],
      ["return [primary, ...others.filter((state) => state !== undefined)];", "return [primary];"],
      ["chain === undefined || chain === chainId", "true"],
    ],
  ),
  ...mutantsOf(
    `${POSTGRES}/explorer/state-writer.ts`,
    [`${PUBLIC}/state-explorer.test.ts`],
    [
      ["const kept = isBegun && changes !== undefined ?", "const kept = isBegun ?"],
      ["if (gone.length > 0) await session.run(GONE, columns(gone, 2));", ""],
      ["AND NOT key = ANY ($4::bytea[])", "AND NOT key = ANY ($4::bytea[]) AND false"],
    ],
  ),
  ...mutantsOf(
    "node/storage/chain/feed/state-feed.ts",
    [`${PUBLIC}/state-explorer.test.ts`],
    [["this.#isKnown &&= changes !== undefined;", ""]],
  ),
  ...mutantsOf(
    "node/storage/chain/feed/state-feed.ts",
    ["node/storage/chain/state-feed.test.ts"],
    [["if (this.#bytes + bytes > CHANGED_BYTES) return this.#forget();", ""]],
  ),
  ...mutantsOf(
    `${POSTGRES}/postgres-database.ts`,
    ["node/storage/mailbox/postgres-database.test.ts"],
    [['client.on("error", () => undefined);', ""]],
  ),
  ...mutantsOf(
    `${POSTGRES}/postgres-database.ts`,
    ["node/storage/mailbox/postgres-statements.test.ts"],
    [
      ["await client.query(SET_LIMITS);", ""],
      ['await client.query("ROLLBACK").catch(noteBroken);', "await Promise.resolve();"],
    ],
  ),
  ...mutantsOf(
    `${POSTGRES}/statement-batch.ts`,
    ["node/storage/mailbox/postgres-statements.test.ts"],
    [
      ["if (parsed !== undefined) connection", "if (parsed === undefined) connection"],
      ['value.replace(/["\\\\]/g, "\\\\$&")', "value"],
    ],
  ),
  ...mutantsOf(
    `${PUBLIC}/server/heard-elsewhere.ts`,
    [`${PUBLIC}/nodes-mail.test.ts`],
    [
      ["if (missing.has(id) && ", "if ("],
      ["if (await this.#isOwnersAlone(box)) return;", ""],
      ["if (recipient_pub !== box) return;", ""],
      [" && !isNamed(box);", ";"],
      ["await elsewhere?.read([box]);\n    } catch {", "void elsewhere?.read([box]);\n    } catch {"],
    ],
  ),
  ...mutantsOf(
    `${POSTGRES}/mail/mail-loader.ts`,
    [`${PUBLIC}/gateway-mail.test.ts`],
    [["    ...contentCalls(pubs, theirs, nowSec),\n", ""]],
  ),
  ...mutantsOf(
    `${POSTGRES}/mail/mail-reads.ts`,
    [`${PUBLIC}/gateway-mail.test.ts`],
    [
      ["row.hidden_count} $", "row.none} $"],
      ["row.envelope_count} $", "row.none} $"],
      ["row.timeline}`", "row.none}`"],
      [".length === most);", ".length < 0);"],
      ["< $1 LIMIT $2 FOR", "< $1 + 9 LIMIT $2 FOR"],
    ],
  ),
  ...mutantsOf(
    `${POSTGRES}/explorer/state-reads.ts`,
    [`${PUBLIC}/state-explorer.test.ts`],
    [
      ["if (state !== undefined && found.state?.height !== state.height) return", "if (false) return"],
      ["const ID_BYTES = MAX_TX_ID_CHARS + 16;", "const ID_BYTES = 1_000_000;"],
    ],
  ),
  ...mutantsOf(
    `${PUBLIC}/server/typing-notices.ts`,
    [`${PUBLIC}/typing-notices.test.ts`],
    [
      ["if (process === this.#process) return;", ""],
      ["!this.#waiting.hasRoomFor(notice) || ", ""],
      [" || !this.#gate.pass(notice, nowMs)", ""],
    ],
  ),
  ...mutantsOf(
    `${PUBLIC}/server/shared-notices.ts`,
    [`${PUBLIC}/shared-notices.test.ts`],
    [
      ["(this.#counts.get(from) ?? 0) + 1;", "0;"],
      ["for (const notice of taken) this.#uncount(notice);", ""],
      ["each.from === from", "true"],
    ],
  ),
  ...mutantsOf(
    `${POSTGRES}/notice-channel.ts`,
    [`${PUBLIC}/typing-notices.test.ts`],
    [
      ['client.on("end", () => this.#forget(client));', ""],
      ["(place?.timeline ?? -1) < this.#options.database.timeline", "place === undefined"],
    ],
  ),
  ...mutantsOf(
    `${PUBLIC}/nodes-mail.ts`,
    [`${PUBLIC}/nodes-mail.test.ts`],
    [
      ["hasMore: true, isComplete: false", "hasMore: true, isComplete: true"],
      ["isRead !== true || !this.#isFresh(kind, box)) unread", "isRead === undefined) unread"],
    ],
  ),
  ...mutantsOf(`${PUBLIC}/node-questions.ts`, [`${PUBLIC}/nodes-mail.test.ts`], [["(await this.#isStored(given))", "true"]]),
  ...mutantsOf(
    "node/api/http/operator/chain-feed-route.ts",
    ["node/api/security/chain-feed.test.ts"],
    [["!guard.holdsSecret(request)", "chainFeed === undefined"]],
  ),
  ...mutantsOf("node/storage/messages/held-mail-store.ts", HELD, [
    ['if (known !== undefined && known.leftAt !== null) return "left";', ""],
    ["DELETE FROM held WHERE name = ? AND left_at IS NULL", "DELETE FROM held WHERE name = ?"],
    ["AND not_before <= ?", "AND not_before - 5 <= ?"],
  ]),
  ...mutantsOf(
    "node/relay/intake/older-mail.ts",
    ["node/relay/older-mail.test.ts"],
    [
      ["envelopes.filter(({ recipient_pub }) => own.has(recipient_pub))", "[...envelopes]"],
      ['isNew ? "accept" : "ignore"', '"accept"'],
      ["return this.#count.take(from, nowMs, envelopes.length) && ", "return "],
    ],
  ),
  ...mutantsOf(
    "node/duties/pages/public-pages.ts",
    ["node/duties/page-reader.test.ts"],
    [
      ["!addresses.every(isPublic)", "!addresses.some(isPublic)"],
      ['address.port !== "" || ', ""],
      ["!isPublicName(address.hostname)", "false"],
      ["bytes > maxBytes && !takesBeginning", "false"],
      ["hops <= MAX_REDIRECTS", "hops <= MAX_REDIRECTS + 1"],
    ],
  ),
  ...mutantsOf(
    "node/duties/pages/page-reader.ts",
    ["node/duties/page-reader.test.ts"],
    [
      ["this.#startedMs.length >= MAX_PAGES || ", ""],
      [" || this.#running >= MAX_AT_ONCE", ""],
      ["bytes !== undefined && shownImage(bytes) !== undefined", "bytes !== undefined"],
    ],
  ),
  ...mutantsOf(
    "node/duties/rate-source.ts",
    ["node/duties/rate-source.test.ts"],
    [
      ["!addresses.every(isRight)", "!addresses.some(isRight)"],
      ['rangeOf(ip) !== "public" && !isLoopbackName', 'rangeOf(ip) === "none" && !isLoopbackName'],
      ['protocol === "http:" && isLoopbackName(hostname)', 'protocol === "http:"'],
    ],
  ),
];
