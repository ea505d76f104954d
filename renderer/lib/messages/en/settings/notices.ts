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
  "notices.otherBlock": "Your node and {name}'s node disagree about block {height}",
  "notices.otherBlockText":
    "One of the two nodes may be seeing a false chain or reporting a wrong block. Before you rely on payments, compare a block with someone else.",
  "notices.otherBlockMore": {
    one: "The node of {count} more contact disagrees too.",
    other: "The nodes of {count} more contacts disagree too.",
  },
  "notices.otherBlockNode": "Open node",
  "notices.storeRecords":
    "Some data on this disk was replaced with an older version. Groups are being checked. Check whom you've blocked and your disappearing messages.",
  "notices.storeOlder":
    "All messages on this disk were replaced with an older version or deleted. Groups are being checked. Check whom you've blocked and your disappearing messages.",
  "notices.storeVault":
    "The key file on this disk was replaced with an older version. Groups are being checked. If you didn't restore it, unlink this device in Settings.",
  "notices.storeMessages": "Messages on this disk were changed outside Parley: older ones may be back, or some may be missing.",
  "notices.deviceSetBack":
    "This device was copied or restored to an earlier state: others have messages from it that aren't here. If you didn't restore it, someone else may have a copy: unlink it in Settings.",
  "notices.storeSeen": "I've checked",
} as const;
