// A process that fetches what a node joins with, as a light node of a data folder, says how far it is, and ends when it is complete:
// `node joining-program.ts DIR PEERS [CHUNKS]`. It begins with so many peers, and waits for ever after so many chunks. Each line of standard
// output is JSON; the log is on standard error.

import { join } from "node:path";
import { fetchJoinState } from "#node/composition/joining/fetch-join-state.ts";
import { startLightNode } from "#node/composition/light-node.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { chainBeginning } from "#node/engine/recovery/chain-beginning.ts";
import { createLog, standardErrorSink } from "#node/observability/log.ts";
import { stateRoot } from "#node/state/state-tree.ts";
import { StateRepository } from "#node/storage/chain/state-repository.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { joinName } from "#node/storage/snapshots/join-store.ts";
import { openSqliteReader } from "#node/storage/sqlite-database.ts";
import { fetchBeginning } from "#node/sync/snapshots/joining/fetch-beginning.ts";
import { snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "../host/poll-until.ts";

/** What the program says. */
export type JoiningLine =
  | { readonly share: number }
  | { readonly held: true }
  | { readonly height: number; readonly hash: string; readonly root: string; readonly headers: number; readonly ids: readonly string[] };

const [, , dataDir = "", wantedPeers = "1", holdAfter = "Infinity"] = process.argv;
const say = (line: JoiningLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const log = createLog("json", standardErrorSink());
const config = loadNodeConfig({ flags: { dataDir, mode: "light" }, environment: { isLaunched: false }, defaultDataDir: dataDir });

await using opened = new AsyncDisposableStack();
const { promise: following, resolve } = Promise.withResolvers<Parameters<NonNullable<Parameters<typeof startLightNode>[3]>>[0]>();
await startLightNode(config, { log, onFatal: (error) => log.error({ err: error }, "failed") }, opened, resolve);
const never = new AbortController().signal;
const onProgress = (_height: number, { share }: { readonly share: number }): void => say({ share });
const node = await following;
const known = (): number => node.network.peers().filter(({ status }) => status !== null).length;
await pollUntil(() => known() >= Number(wantedPeers), { what: "peers to join from", timeoutMs: 60_000 });
let chunks = 0;
const requestSnapshot: typeof node.network.requestSnapshot = async (...request) => {
  const response = await node.network.requestSnapshot(...request);
  if (tryDecode(snapshotResponseCodec, response)?.kind === "chunk") chunks += 1;
  if (chunks <= Number(holdAfter)) return response;
  say({ held: true });
  return await new Promise(() => undefined);
};
const network: Parameters<typeof fetchJoinState>[0]["network"] = {
  peers: () => node.network.peers(),
  requestSnapshot,
  report: (peer, offence) => node.network.report(peer, offence),
};
const { block, window, store } = await fetchJoinState({ ...node, network, log, onProgress }, never);
const rest = { body: node.source.body.bind(node.source), peers: node.peers, first: firstParams(node.folder.genesis.params) };
const proven = await fetchBeginning(rest, { block, window }, never);
store.finish((state) => chainBeginning(state, proven));
store.close();
const { height } = block.header;
const database = openSqliteReader(join(dataDir, joinName(height)), CHAIN_DATABASE);
const root = toHex(stateRoot(new StateRepository(database)));
database.close();
say({ height, hash: block.hash, root, headers: window.headers.length, ids: window.ids.flatMap(({ ids }) => ids) });
