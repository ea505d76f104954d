import { expect, it } from "vitest";
import { protocolNames, STATUS_PROTOCOL } from "#node/network/protocol-names.ts";

it("names topics and protocols as the nodes of a running network do", () => {
  expect(STATUS_PROTOCOL).toBe("/parley/status/3");
  expect(protocolNames("chain-1")).toEqual({
    topics: {
      tx: "/chain-1/tx/v1",
      blocks: "/chain-1/blocks/v1",
      relay: "/chain-1/relay/v1",
      boxes: "/chain-1/boxes/v1",
      deletions: "/chain-1/deletions/v1",
      version: "/chain-1/version/v1",
      consensus: "/chain-1/consensus/v1",
    },
    consensus: "/parley/chain-1/consensus/1",
    blocks: "/parley/chain-1/blocks/1",
    mailbox: "/parley/chain-1/mailbox/3",
    secondMailbox: "/parley/chain-1/mailbox/2",
    firstMailbox: "/parley/chain-1/mailbox/1",
    mail: "/parley/chain-1/mail/1",
    cards: "/parley/chain-1/cards/2",
    carry: "/parley/chain-1/carry/1",
    digests: "/parley/chain-1/digests/1",
    watches: "/parley/chain-1/watches/1",
    light: "/parley/chain-1/light/1",
    snapshot: "/parley/chain-1/snapshot/1",
    kademlia: "/parley/chain-1/kad/1",
    prefix: "parley/chain-1",
    mdns: "_parley-chain-1._udp.local",
  });
});
