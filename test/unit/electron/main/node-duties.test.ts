// What the page asks of the node's own key: confirmed in the shell's window, sent with a secret that the page never sees.

import { Value } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import type { NodeDutyDecision } from "#electron/main/confirmation/confirmation-types.ts";
import { askNodeForDuty } from "#electron/main/processes/node-duties.ts";
import type { ServingNode } from "#electron/main/processes/node-host.ts";
import { DESKTOP_CALLS } from "#shared/desktop/desktop-api.ts";
import type { NodeDuty } from "#shared/desktop/node-duty.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const NODE_KEY = "3d".repeat(32);
const OTHER_KEY = "4e".repeat(32);
const SIGNATURE = `${"A".repeat(86)}==`;
const SERVING: ServingNode = { url: "http://127.0.0.1:21234", secret: "s".repeat(64), chainId: "parley-test" };

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly authorization: string;
  readonly body: unknown;
}

let sent: Sent[];
let asked: NodeDutyDecision[];
let serving: ServingNode | undefined;
let isAgreed: boolean;
let answers: Record<string, Response>;

beforeEach(() => {
  sent = [];
  asked = [];
  serving = SERVING;
  isAgreed = true;
  answers = {
    "/api/status": Response.json({ node_key: NODE_KEY }),
    "/api/params": Response.json({ params: { min_fee_ut: 2_000 } }),
    "/api/genesis": Response.json({ params: { validator_bond_ut: 1_000_000_000 } }),
    "/api/node/duties": Response.json({ status: "accepted", id: "tx1" }),
  };
});

const ask = (duty: NodeDuty): Promise<string> =>
  askNodeForDuty(
    {
      fetch: async (url, init) => {
        const { authorization = "" } = (init?.headers ?? {}) as Readonly<Record<string, string>>;
        const body = init?.body === undefined ? undefined : JSON.parse(String(init.body));
        sent.push({ url, method: init?.method ?? "GET", authorization, body });
        return await Promise.resolve((answers[new URL(url).pathname] ?? Response.error()).clone());
      },
      serving: () => serving,
      confirm: async (decision) => {
        asked.push(decision);
        return await Promise.resolve(isAgreed);
      },
    },
    duty,
  );

const posted = (): readonly Sent[] => sent.filter(({ method }) => method === "POST");

describe("a duty of the node", () => {
  it("is confirmed with the node's account and the exact values, then sent with the secret", async () => {
    expect(await ask({ duty: "apply" })).toBe("tx1");
    expect(asked).toEqual([
      { kind: "nodeApplies", account: formatAddress(NODE_KEY), chainId: "parley-test", feeUt: 2_000, bondUt: 1_000_000_000 },
    ]);
    expect(posted()).toEqual([
      { url: `${SERVING.url}/api/node/duties`, method: "POST", authorization: `Bearer ${SERVING.secret}`, body: { duty: "apply" } },
    ]);
  });

  it.each([
    [{ duty: "leave" }, { kind: "nodeLeaves" }],
    [
      { duty: "approve", pub_key: OTHER_KEY },
      { kind: "nodeApproves", validator: formatAddress(OTHER_KEY) },
    ],
    [
      { duty: "approve_removal", pub_key: OTHER_KEY },
      { kind: "nodeApprovesRemoval", validator: formatAddress(OTHER_KEY) },
    ],
    [
      { duty: "bind_wallet", wallet_pub: OTHER_KEY, wallet_sig: SIGNATURE },
      { kind: "nodeBindsWallet", wallet: formatAddress(OTHER_KEY) },
    ],
    [{ duty: "unbind_wallet" }, { kind: "nodeUnbindsWallet", account: formatAddress(NODE_KEY) }],
    [
      { duty: "pay_wallet", wallet_pub: OTHER_KEY, amount_ut: 2_500_000 },
      { kind: "nodePaysWallet", account: formatAddress(NODE_KEY), wallet: formatAddress(OTHER_KEY), amountUt: 2_500_000, feeUt: 2_000 },
    ],
  ] as const)("%o is not sent without the person", async (duty, decision) => {
    isAgreed = false;
    await expect(ask(duty)).rejects.toMatchObject({ code: "CONFIRMATION_DECLINED" });
    expect(asked).toMatchObject([decision]);
    expect(posted()).toEqual([]);
    isAgreed = true;
    expect(await ask(duty)).toBe("tx1");
    expect(posted()).toMatchObject([{ body: duty }]);
  });

  it("brings a bond back to the node's own account without a question", async () => {
    expect(await ask({ duty: "withdraw_bond" })).toBe("tx1");
    expect(asked).toEqual([]);
  });

  it("is not sent to a node that began to serve while the person was asked", async () => {
    const asking = askNodeForDuty(
      {
        fetch: async (url) => await Promise.resolve((answers[new URL(url).pathname] ?? Response.error()).clone()),
        serving: () => serving,
        confirm: async () => {
          serving = { ...SERVING, secret: "t".repeat(64) };
          return await Promise.resolve(true);
        },
      },
      { duty: "leave" },
    );
    await expect(asking).rejects.toThrow("restarted meanwhile");
  });

  it("fails in the node's words, and in others when it is away, light or something else", async () => {
    answers["/api/node/duties"] = Response.json({ error: "This node is a validator already" }, { status: 400 });
    await expect(ask({ duty: "apply" })).rejects.toThrow("This node is a validator already");
    answers["/api/status"] = Response.json({});
    await expect(ask({ duty: "leave" })).rejects.toThrow("light node");
    answers["/api/status"] = new Response("[1]");
    await expect(ask({ duty: "leave" })).rejects.toThrow("unknown form");
    answers["/api/status"] = new Response(`{"node_key":"${NODE_KEY}","more":"${"x".repeat(16_777_216)}"}`);
    await expect(ask({ duty: "leave" })).rejects.toThrow("unknown form");
    serving = undefined;
    await expect(ask({ duty: "leave" })).rejects.toThrow("not running");
  });
});

it.each([
  { duty: "transfer", to: OTHER_KEY, amount: 1 },
  { duty: "apply", fee: 1 },
  { duty: "approve" },
  { duty: "approve", pub_key: "../status" },
  { duty: "bind_wallet", wallet_pub: OTHER_KEY },
  { duty: "register_relay", fee_per_msg_ut: 1 },
  { duty: "unbind_wallet", wallet_pub: OTHER_KEY },
  { duty: "pay_wallet", wallet_pub: OTHER_KEY },
  { duty: "pay_wallet", wallet_pub: OTHER_KEY, amount_ut: 0 },
  { duty: "pay_wallet", wallet_pub: OTHER_KEY, amount_ut: 1.5 },
  { duty: "pay_wallet", wallet_pub: OTHER_KEY, amount_ut: 2 ** 53 },
  { duty: "pay_wallet", wallet_pub: OTHER_KEY, amount_ut: 1, memo: "x" },
  null,
])("the page cannot ask for %o", (input) => {
  expect(Value.Check(DESKTOP_CALLS.nodeDuty, input)).toBe(false);
});
