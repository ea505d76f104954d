// The order of folders, from the ground up: a folder imports only folders of earlier lines. Those of one line do not know each other.

/** Folders of one level, by the folder that holds them. Every folder there must have its position. */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  shared: ["errors", "util", "codec", "protocol media", "api content keyring text updates", "apps linking", "messenger desktop"],
  "shared/apps": ["scopes", "messages", "api judging", "storage", "keyring"],
  "shared/protocol": ["primitives", "transactions mail", "chain groups pairs"],
  node: [
    "consensus ledger",
    "queries crypto state vm",
    "config storage contracts",
    "observability engine",
    "network explorer mempool",
    "relay light gossip",
    "sync",
    "api duties",
    "gateway signer",
    "cli",
    "composition",
  ],
  "node/engine": ["log genesis", "execution", "inbound recovery", "voting"],
  "node/storage": ["history", "explorer", "chain mailbox messages", "snapshots"],
  "node/storage/history": ["files", "segments runs", "sealing", "records"],
  "node/light": ["chain wire reads", "peers queries server", "proofs", "archive"],
  "node/network": ["wire flow addresses", "admission", "peers", "libp2p", "traffic"],
  "node/api": ["security", "events routes http", "reads websocket"],
  "node/gateway": ["socket chain", "http", "routes events"],
  "node/signer": ["memory tls wire", "client server"],
  "node/cli": ["session outline", "commands"],
  renderer: ["storage", "lib workers", "components", "features", "app"],
  agent: ["network keyring", "commands"],
  "shared/messenger": ["model", "pairs node store", "state", "changes views", "receiving sending transfer", "commands"],
  "renderer/components": ["basics", "controls", "layout", "feedback", "overlays", "people secrets", "transactions"],
};
