// Lists as tables with a line of heads; texts of strangers cannot imitate a column, a line or a colour.
import { describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";

const [ALICE, BOB] = [formatAddress(alice.pub), formatAddress(bob.pub)];

async function linesOf(line: string, answers: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const fetch = async (url: string): Promise<{ readonly status: number; readonly text: () => Promise<string> }> => {
    const { pathname } = new URL(url);
    return {
      status: answers[pathname] === undefined ? 404 : 200,
      text: async () => JSON.stringify(answers[pathname] ?? { error: "none" }),
    };
  };
  const context = fakeCommandContext({ fetch });
  expect(await runCommandLine(line.split(" "), context, () => Promise.reject(new Error("no node"))), context.err.join("\n")).toBe(0);
  return context.out;
}

const channel = (id: string, isOpen: boolean): object => ({
  channel_id: id,
  payer_pub: alice.pub,
  payer_addr: ALICE,
  payee_pub: bob.pub,
  payee_addr: BOB,
  deposit_ut: isOpen ? 12_500_000 : 2_000_000,
  expires_at: 1_767_225_600,
  status: isOpen ? "open" : "closed",
  paid_ut: isOpen ? null : 1_000_000,
  open_tx: "tx1",
  close_tx: isOpen ? null : "tx2",
});

describe("a list is a table", () => {
  it("of tokens, whose names cannot add columns", async () => {
    const token = { token_id: "gold", symbol: "AU", supply: 1_000, decimals: 2, issuer_pub: alice.pub, name: "Go\u001b[31mld  999  pl1x" };
    const list = { count: 2, tokens: [token, { ...token, token_id: "tea", supply: 7, name: "Tea" }], has_more: false };
    expect(await linesOf("token list", { "/api/tokens": list })).toEqual([
      `ID    SYMBOL  UNITS  DECIMALS  ISSUER${" ".repeat(ALICE.length - 6)}  NAME`,
      `gold  AU       1000         2  ${ALICE}  Go�[31mld 999 pl1x`,
      `tea   AU          7         2  ${ALICE}  Tea`,
    ]);
  });

  it("of NFTs", async () => {
    const nft = { nft_id: "sun", name: "Sun\nrise", owner_pub: bob.pub, owner_addr: BOB, metadata: "m\u202e" };
    expect(await linesOf("nft list", { "/api/nfts": { count: 1, nfts: [nft], has_more: false } })).toEqual([
      `ID   OWNER${" ".repeat(BOB.length - 5)}  NAME`,
      `sun  ${BOB}  Sun⏎rise`,
    ]);
    expect(await linesOf("nft list sun", { "/api/nfts/sun": nft })).toEqual([
      "id        sun",
      "name      Sun⏎rise",
      `owner     ${BOB}`,
      "metadata  m�",
    ]);
  });

  it("of channels, each with the other side", async () => {
    const answers = { "/api/channels": { channels: [channel("a".repeat(32), true), channel("b".repeat(32), false)] } };
    expect(await linesOf(`channel list ${ALICE}`, answers)).toEqual([
      `CHANNEL${" ".repeat(25)}  DEPOSIT  PAID  STATUS  EXPIRES               TO OR FROM`,
      `${"a".repeat(32)}   12.5 T        open    2026-01-01T00:00:00Z  to ${BOB}`,
      `${"b".repeat(32)}      2 T   1 T  closed  2026-01-01T00:00:00Z  to ${BOB}`,
    ]);
    expect((await linesOf(`channel list ${BOB}`, answers))[1]).toMatch(new RegExp(`from ${ALICE}$`));
  });

  it("of relays, wherever a relay says that it is", async () => {
    const relay = { x25519_pub_key: "00", fee_per_msg_ut: 500, multiaddr: "/dns4/x\u001b]0;y\u0007/tcp/1" };
    const keeper = { bond_ut: 0, withdrawn_ut: 50_000_000, available_at: 1_797_732_306, standing: "none" };
    const relays = [
      { pub_key: alice.pub, address: ALICE, relay },
      { pub_key: bob.pub, address: BOB, relay: { x25519_pub_key: "00", fee_per_msg_ut: 0 }, keeper, last_heartbeat: 1_767_225_600 },
    ];
    expect(await linesOf("relay status", { "/api/relays": relays })).toEqual([
      `ADDRESS${" ".repeat(ALICE.length - 7)}       FEE  LAST HEARTBEAT${" ".repeat(32)}BOND  KEEPS MAIL  REACHED AT`,
      `${ALICE}  0.0005 T  none${" ".repeat(60)}/dns4/x�]0;y�/tcp/1`,
      `${BOB}       0 T  2026-01-01T00:00:00Z  50 T back from 2026-12-20 on  none`,
    ]);
  });

  it("of peers and of validators", async () => {
    const peers = { peers: [{ id: "12D3", version: "1\u001b[2J" }] };
    expect(await linesOf("peers", { "/api/peers": peers })).toEqual(["ID    VERSION", "12D3  1�[2J"]);
    const validators = {
      count: 1,
      validators: [{ pub_key: alice.pub, address: ALICE, missed_commits: 412 }],
      set_aside: [{ pub_key: bob.pub, address: BOB, since_block: 3_000 }],
    };
    const answers = {
      "/api/validators": validators,
      "/api/validators/proposals": { proposals: [] },
      [`/api/node/${alice.pub}`]: { validator: { in_set: true, bond_ut: 1_000_000, commits_expected: 9, commits_signed: 8 } },
    };
    expect(await linesOf("validator status", answers)).toEqual([
      "1 validator",
      `ADDRESS${" ".repeat(ALICE.length - 7)}  BOND  SIGNED  MISSED OF 1000`,
      `${ALICE}   1 T  8 of 9             412`,
      `set aside  ${BOB} since block 3000: it returns by its own request`,
    ]);
  });

  it("of what one key did, with the blocks that are proven where the state does not count all", async () => {
    const stats = { address: ALICE, reputation_rank: "Validator", reputation_score: 45, node_balance: "1 T", slash_count: 0 };
    const figures = { ...stats, blocks_produced: 9, recent_blocks_produced: 3, recent_window_blocks: 200 };
    const lineWith = async (counted: object): Promise<string | undefined> => {
      const answers = {
        "/api/validators": { count: 0, validators: [] },
        "/api/validators/proposals": { proposals: [] },
        [`/api/node/${alice.pub}`]: { ...figures, ...counted },
      };
      return (await linesOf(`validator status ${ALICE}`, answers)).find((line) => line.startsWith("blocks"));
    };
    expect(await lineWith({})).toBe("blocks   9, 3 of the last 200");
    expect(await lineWith({ counted_blocks: { blocks: 9, since_height: 1 } })).toBe("blocks   9, 3 of the last 200");
    expect(await lineWith({ counted_blocks: { blocks: 6, since_height: 4 } })).toBe(
      "blocks   9 (6 proven since block 4), 3 of the last 200",
    );
  });
});
