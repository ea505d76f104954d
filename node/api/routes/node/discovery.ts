// What the node says about itself and its network.

import type { Awaitable } from "#node/queries/awaitable.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { Handlers } from "../../handler-types.ts";
import type { MailboxAccess } from "../../security/mailbox-access.ts";
import type { ApiServices, ConsensusDescription } from "../../services.ts";

type DiscoveryHandlers = Pick<
  Handlers,
  "getNetworkInfo" | "getGenesis" | "listWellKnownContracts" | "getVersion" | "listPeers" | "checkForUpdate" | "getStatus" | "getParams"
>;

export function createDiscoveryHandlers(services: ApiServices, mailboxes: Pick<MailboxAccess, "needsProof">): DiscoveryHandlers {
  const { node, explorer, contracts, mempool, relay, clock } = services;
  return {
    async getNetworkInfo(): Promise<Output<"getNetworkInfo">> {
      const [stats, validators, wellKnown] = await Promise.all([explorer.netStats(), explorer.validators(), contracts.wellKnown()]);
      return {
        chain_id: node.chainId,
        ...(node.genesis.previous === undefined ? {} : { previous_chain_id: node.genesis.previous.chain_id }),
        genesis_hash: node.genesisHash,
        genesis_time: node.genesisTime,
        development: node.isDevelopment,
        height: stats.height,
        peers: [...node.peers()],
        validators: [...validators],
        contracts: { ...wellKnown },
        p2p_addresses: [...node.p2pAddresses()],
      };
    },
    getGenesis(): Output<"getGenesis"> {
      const { validators, accounts, params, contracts: names, ...rest } = node.genesis;
      return { ...rest, validators: [...validators], accounts: [...accounts], params: { ...params }, contracts: [...names] };
    },
    getParams: () => explorer.parameters({ first: firstParams(node.genesis.params), knownVersions: node.knownVersions ?? KNOWN_VERSIONS }),
    getVersion(): Output<"getVersion"> {
      return node.version;
    },
    async listWellKnownContracts(): Promise<Output<"listWellKnownContracts">> {
      const wellKnown = await contracts.wellKnown();
      return { count: Object.keys(wellKnown).length, contracts: { ...wellKnown } };
    },
    listPeers(): Output<"listPeers"> {
      const peers = [...node.peers()];
      return { count: peers.length, peers };
    },
    checkForUpdate(): Awaitable<Output<"checkForUpdate">> {
      if (services.checkForUpdate === undefined)
        throw new CodedError("UNAVAILABLE", "No update source is configured: the operator of this node sets it with SVC_UPDATE_URL");
      return services.checkForUpdate();
    },
    getStatus(_input, context): Output<"getStatus"> {
      const peers = node.peers();
      return {
        chain_id: node.chainId,
        mode: node.mode,
        ...(node.light === undefined ? {} : { light: node.light() }),
        sync: node.sync(),
        ...historyField(node.history?.()),
        ...upgradeField(node.upgrade?.()),
        peers: peers.length,
        pending_txs: mempool.size,
        ...(node.consensus === undefined ? {} : votingFields(node.consensus)),
        relay_pub: relay.publicKey,
        mailbox_envelopes: relay.envelopeCount,
        uptime_seconds: Math.floor((clock.monotonicMs() - node.startedAtMs) / 1000),
        inbox_auth_required: mailboxes.needsProof(context),
        storage: node.storage(),
      };
    },
  };
}

function votingFields({ nodeKey, validatorKey, signer, status }: ConsensusDescription): Partial<Output<"getStatus">> {
  const signing = signer?.();
  const key = { pub_key: validatorKey, place: signing === undefined ? "local" : "remote", is_ready: signing?.isConnected ?? true } as const;
  return { node_key: nodeKey, validator_key: key, voting: status().isVoting };
}

function historyField(history: Output<"getStatus">["history"]): Pick<Output<"getStatus">, "history"> {
  return history === undefined ? {} : { history };
}

function upgradeField(upgrade: ReturnType<NonNullable<ApiServices["node"]["upgrade"]>>): Pick<Output<"getStatus">, "upgrade"> {
  return upgrade === undefined ? {} : { upgrade };
}
