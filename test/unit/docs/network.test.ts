// docs/network.md names every limit of the network with the value that the code has.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS, type Rate, SCORE_LIMITS } from "#node/network/network-limits.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { TOPICS } from "#node/network/protocol-names.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/network.md", import.meta.url)), "utf8");

/** Cells of the rows whose first cell is a name in code, by that name, in tables of a number of columns. */
function rows(columns: number, text = page): ReadonlyMap<string, readonly string[]> {
  const lines = text.split("\n").filter((line) => /^\| `\w+` \|/.test(line));
  const cells = lines.map((line) => line.split("|").slice(1, -1)).filter(({ length }) => length === columns);
  return new Map(cells.map(([name = "", ...rest]) => [name.replaceAll("`", "").trim(), rest.map((cell) => cell.trim())]));
}

const limits = page.slice(page.indexOf("\n## Scores"));
const text = (value: number): string => value.toLocaleString("en-US");
const rateText = ({ perSecond, burst }: Rate): string => `${text(perSecond)}, ${text(burst)}`;

describe("docs/network.md", () => {
  it.each(TOPICS)("has the limits of the topic %s", (topic) => {
    const { messageBytes, queued, concurrent, messages, bytes } = NETWORK_LIMITS.topics[topic];
    expect(rows(6).get(topic)).toEqual([text(messageBytes), text(queued), text(concurrent), rateText(messages), rateText(bytes)]);
  });

  it.each(["blocks", "mailbox", "mail", "cards", "carry", "light", "snapshot"] as const)("has the limits of requests for %s", (name) => {
    const { requestBytes, frameBytes, responseBytes, responsesPerPeer, requests, silenceMs, totalMs } = NETWORK_LIMITS[name];
    const sizes = [text(requestBytes), text(frameBytes), text(responseBytes), text(responsesPerPeer)];
    expect(rows(8).get(name)).toEqual([...sizes, rateText(requests), text(silenceMs), text(totalMs)]);
  });

  it.each(["address", "useful", "strangers"] as const)("has the rate at which bytes of %s are read", (name) => {
    expect(rows(2).get(name)).toEqual([rateText(NETWORK_LIMITS.inboundBytes[name])]);
  });

  it.each([
    "announcements",
    "typing",
    "typingNews",
    "deletions",
    "openings",
    "admitted",
    "mailPassing",
    "carryPassing",
    "carryBytes",
    "carrySending",
    "olderMail",
    "olderMailBytes",
  ] as const)("has the rates at which %s travel on", (name) => {
    const { party, total } = NETWORK_LIMITS[name];
    expect(rows(3).get(name)).toEqual([rateText(party), rateText(total)]);
  });

  it("has every other limit and the cost of every offence", () => {
    const values = new Map([...rows(3, limits)].map(([name, [value]]) => [name, value]));
    const { hostBanAt, subnetBanAt } = SCORE_LIMITS;
    const expected = Object.entries({
      ...NETWORK_LIMITS,
      ...NETWORK_LIMITS.served,
      ...NETWORK_LIMITS.mailItems,
      ...NETWORK_LIMITS.carryItems,
      ...NETWORK_LIMITS.mailPeers,
      ...PEER_LIMITS,
      hostBanAt,
      subnetBanAt,
      ...SCORE_LIMITS.costs,
    }).filter(([, value]) => typeof value === "number");
    for (const [name, value] of expected) expect(`${name} ${values.get(name)}`).toBe(`${name} ${text(Number(value))}`);
    expect(values.size).toBe(expected.length);
  });
});
