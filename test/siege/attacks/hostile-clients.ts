// Clients of the HTTP interface that ask without end, never read, never finish, or are pages of other sites.
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Attack, type NetworkShape, type Target, type Turn, victimOf } from "../attack.ts";
import { FULL_MAILBOX } from "../history.ts";

const NETWORK: NetworkShape = { validators: 1, limitsLoopback: true };
const HOST = "Host: 127.0.0.1";
const REOPEN_MS = 50;
const PIPELINED = 16;
const SLOW_BYTE_MS = 1_000;

/** Addresses of this machine, none of which honest clients have. */
function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `127.66.0.${1 + n}`);
}

/** Opens a socket from an address, does something with it until it closes, and opens the next one. */
async function keepOpen(target: Target, turn: Turn, { from, use }: Client): Promise<void> {
  const { port } = victimOf(target);
  while (!turn.signal.aborted) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const ended = new Promise((resolve) => turn.signal.addEventListener("abort", resolve, { once: true }));
    socket.once("connect", () => {
      turn.count("connections");
      use(socket);
    });
    await Promise.race([closed, ended]);
    socket.destroy();
    await delay(REOPEN_MS);
  }
}

interface Client {
  readonly from: string;
  readonly use: (socket: Socket) => void;
}

/** So many sockets of each address at once. */
async function fromEverywhere(target: Target, turn: Turn, { from, each, use }: Crowd): Promise<void> {
  await turn.begin();
  await Promise.all(
    addresses(from).flatMap((address) => Array.from({ length: each }, () => keepOpen(target, turn, { from: address, use }))),
  );
}

interface Crowd {
  /** Number of addresses. */
  readonly from: number;
  /** Sockets of each. */
  readonly each: number;
  readonly use: (socket: Socket) => void;
}

function countStatuses(socket: Socket, turn: Turn, onStatus: (status: string) => void = (): void => undefined): void {
  socket.setEncoding("latin1").on("data", (text: string) => {
    for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d\d\d)/g)) {
      turn.count(`status ${status}`);
      onStatus(status);
    }
  });
}

const listOfMailbox = `GET /relay/inbox?pub=${FULL_MAILBOX}&limit=500 HTTP/1.1\r\n${HOST}\r\n\r\n`;

async function readNothing(target: Target, turn: Turn): Promise<void> {
  const use = (socket: Socket): void => {
    socket.pause();
    socket.write(listOfMailbox);
    turn.count("lists");
  };
  await fromEverywhere(target, turn, { from: 6, each: 8, use });
}

async function catchUp(target: Target, turn: Turn): Promise<void> {
  const use = (socket: Socket): void => {
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      turn.count("KiB", Math.round(chunk.length / 1_024));
      // It has what there is: the next one begins again.
      if (bytes > 1_048_576) socket.destroy();
    });
    socket.write(`GET /api/events HTTP/1.1\r\n${HOST}\r\nLast-Event-ID: 0\r\n\r\n`);
    turn.count("streams");
  };
  await fromEverywhere(target, turn, { from: 4, each: 16, use });
}

async function flood(target: Target, turn: Turn): Promise<void> {
  const paths = [
    "/api/netstats",
    `/api/address/${target.richKey}?limit=1000`,
    `/v2/chain/accounts/${target.richKey}/transactions?limit=1000`,
    "/api/charts?resolution=day&limit=720",
    `/api/search?q=${target.richKey}`,
    "/api/block/1",
    "/api/nothing",
  ];
  let next = 0;
  const use = (socket: Socket): void => {
    const ask = (): void => {
      const requests = Array.from({ length: PIPELINED }, () => `GET ${paths[next++ % paths.length]} HTTP/1.1\r\n${HOST}\r\n\r\n`);
      socket.write(requests.join(""));
      turn.count("requests", PIPELINED);
    };
    let answered = 0;
    countStatuses(socket, turn, () => {
      answered += 1;
      if (answered % PIPELINED === 0) ask();
    });
    ask();
  };
  await fromEverywhere(target, turn, { from: 16, each: 4, use });
}

async function sendSlowly(target: Target, turn: Turn): Promise<void> {
  const use = (socket: Socket): void => {
    countStatuses(socket, turn);
    socket.write(`POST /api/tx HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"type":`);
    const timer = setInterval(() => socket.write(" "), SLOW_BYTE_MS);
    socket.once("close", () => clearInterval(timer));
  };
  await fromEverywhere(target, turn, { from: 4, each: 256, use });
}

/** What a page of another site makes a browser of this machine send: from the address of honest clients. */
async function askFromAnotherSite(target: Target, turn: Turn): Promise<void> {
  const kinds = [
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\nOrigin: http://evil.example",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script",
  ];
  const paths = [`/relay/inbox?pub=${FULL_MAILBOX}&limit=500`, `/api/address/${target.richKey}`, "/api/peers"];
  await turn.begin();
  const use = (socket: Socket): void => {
    countStatuses(socket, turn, (status) => {
      if (status === "200") turn.problem("a page of another site read data");
      socket.destroy();
    });
    socket.write(`GET ${paths[turns % paths.length]} HTTP/1.1\r\n${HOST}\r\n${kinds[turns % kinds.length]}\r\n\r\n`);
    turns += 1;
  };
  let turns = 0;
  await Promise.all(Array.from({ length: 2 }, () => keepOpen(target, turn, { from: "127.66.0.1", use })));
}

export const CLIENT_ATTACKS: readonly Attack[] = [
  {
    name: "unread-lists",
    title: "48 clients that list a mailbox of 24 MiB and never read",
    work: "limitedTransfers",
    history: "mailbox",
    network: NETWORK,
    attack: readNothing,
  },
  {
    name: "event-streams",
    title: "64 event streams that catch up again and again",
    work: "limitedTransfers",
    history: "transfers",
    network: NETWORK,
    attack: catchUp,
  },
  {
    name: "request-flood",
    title: "floods of requests from 16 addresses",
    work: "limitedTransfers",
    history: "transfers",
    network: NETWORK,
    attack: flood,
  },
  {
    name: "slow-bodies",
    title: "1,024 requests whose bodies never end",
    work: "limitedTransfers",
    network: NETWORK,
    attack: sendSlowly,
  },
  {
    name: "cross-site",
    title: "requests of pages of other sites",
    work: "limitedTransfers",
    network: NETWORK,
    attack: askFromAnotherSite,
  },
];
