// The confirmation window in English.
import type { WindowWords } from "./confirmation-types.ts";

export const ENGLISH: WindowWords = {
  language: "en",
  cancel: "Cancel",
  never: "never",
  none: "none",
  minutes: (count) => (count === 1 ? "after 1 minute" : `after ${count} minutes`),
  every: (count) => (count === 0 ? "never" : `every ${count} minutes`),
  yes: "yes",
  no: "no",
  unset: "the node's default",
  change: (before, after) => (before === after ? after : `${before} → ${after}`),
  labels: {
    account: "Account",
    network: "Network",
    fee: "Fee",
    deviceName: "Device",
    deviceKey: "Device key",
    validator: "Validator",
    bond: "Bond",
    wallet: "Wallet",
    amount: "Amount",
    relayFee: "Fee of the relay for one message",
    heartbeat: "Heartbeat",
    privateMode: "Private mode",
    updateSource: "Update source",
    walletLock: "Wallet locks",
    fullLock: "Everything locks",
    mode: "Node",
    checkpoint: "Checkpoint",
    dataFolder: "Data folder",
  },
  modes: { automatic: "automatic", full: "full node", validator: "validator", light: "light node" },
  decisions: {
    linkDevice: {
      title: "Link another device?",
      text: "It will get your messages and write in your name until you unlink it.",
      agree: "Link this device",
    },
    certifyDevice: {
      title: "Let another device in?",
      text: "It becomes a device of your account: it will get your messages and write in your name until you unlink it. Go on only if you are holding that device.",
      agree: "Let it in",
    },
    addValidator: {
      title: "Add this validator?",
      text: "The validator with this address votes on the network's blocks once enough others approve. If it is your own, its bond is locked and can be lost.",
      agree: "Add validator",
    },
    removeValidator: {
      title: "Remove this validator?",
      text: "The validator with this address stops voting once enough others approve. If it is your own, it leaves at once.",
      agree: "Remove validator",
    },
    autoLock: {
      title: "Lock later than now?",
      text: "Anyone who comes to this computer meanwhile can use what is open.",
      agree: "Change",
    },
    revealPhrase: {
      title: "Show the recovery phrase?",
      text: "Anyone who sees these 24 words owns your account and its money for good. No one needs them to help you.",
      agree: "Show the words",
    },
    nodeMode: {
      title: "Change how the node works?",
      text: "A validator votes and can lose its bond. A light node trusts the checkpoint it begins with.",
      agree: "Change and restart",
    },
    nodeApplies: {
      title: "Apply as a validator with this node?",
      text: "Once enough validators approve, the bond is locked and the node votes. Contradicting itself costs it part of the bond.",
      agree: "Apply",
    },
    nodeLeaves: {
      title: "Stop validating?",
      text: "The node leaves the validators at once. Its bond stays locked for the waiting time and can then be taken back.",
      agree: "Stop validating",
    },
    nodeApproves: {
      title: "Approve this validator with your node?",
      text: "The validator with this address votes on the network's blocks once enough others approve.",
      agree: "Approve",
    },
    nodeApprovesRemoval: {
      title: "Approve removing this validator with your node?",
      text: "The validator with this address stops voting once enough others approve.",
      agree: "Approve removal",
    },
    nodeBindsWallet: {
      title: "Pay the node's earnings to this wallet?",
      text: "Block rewards and relay fees go to this address from now on. What the node has already stays where it is.",
      agree: "Pay to this wallet",
    },
    nodeUnbindsWallet: {
      title: "Pay the node's earnings to its own account?",
      text: "Block rewards and relay fees stay on the account of the node from now on.",
      agree: "Keep them at the node",
    },
    nodePaysWallet: {
      title: "Pay from the node's account?",
      text: "The money goes to the wallet with this address, and cannot be taken back. Fees of the node, such as those of heartbeats, are paid from what stays.",
      agree: "Pay",
    },
    nodeWork: {
      title: "Change what the node does by itself?",
      text: "Registering as a relay and heartbeats cost fees of the node's account. An update source learns the address of this computer when it is asked.",
      agree: "Change",
    },
    takeNode: {
      title: "Vote from this computer?",
      text: "If another copy of this data folder votes too, the bond is cut. Go on only if this is the only one.",
      agree: "It is the only copy",
    },
    updatesOff: {
      title: "Stop looking for new versions?",
      text: "Errors that endanger you then stay until you look for a new version yourself.",
      agree: "Stop looking",
    },
  },
};
