// Words of the notices above the views that come after the first load: of devices, and of what nodes of contacts report.

/** Messages `notices.*`. */
export const notices = {
  "notices.unlinkedTitle": "This device was unlinked",
  "notices.unlinkedText": "It no longer receives messages. What it already has stays on it.",
  "notices.device.linked": "New device linked: {name}",
  "notices.device.unlinked": "Device unlinked: {name}",
  "notices.deviceText.linked": "It can read your messages from now on. If this wasn't you, unlink it immediately.",
  "notices.deviceText.unlinked": "It no longer receives messages.",
  "notices.deviceSeen": "That was me",
  "notices.unfinishedLink": "Linking {name} was not finished",
  "notices.unfinishedLinkText":
    "It was closed or reloaded before a password was set, so its keys are probably lost. Unlink it, then link it again with a new code.",
  "notices.otherBlock": "Your node and the one of {name} disagree about block {height}",
  "notices.otherBlockText":
    "One of the two nodes may be shown a false chain, or their program reports a wrong block. Before you rely on payments, compare a block with someone else.",
  "notices.otherBlockMore": { one: "So does the node of {count} more contact.", other: "So do the nodes of {count} more contacts." },
  "notices.otherBlockNode": "Open node",
  "notices.storeRecords":
    "Records on this disk are older than Parley left them: someone put them there. Groups are being checked. Look at whom you blocked and at disappearing messages.",
  "notices.storeOlder":
    "All messages on this disk are older than Parley left them, or gone. Groups are being checked. Look at whom you blocked and at disappearing messages.",
  "notices.storeVault":
    "The key file on this disk is older than Parley left it. Groups are being checked. If you did not restore it, unlink this device in Settings.",
  "notices.storeMessages": "Messages on this disk are not those that Parley left: older ones may be back, or some missing.",
  "notices.deviceSetBack":
    "This device was set back to an older state, or copied: others have messages of it that are not here. If you did not restore it, someone else may have a copy: unlink it in Settings.",
  "notices.storeSeen": "I have seen to it",
} as const;
