// Words of groups, which are not needed before the inbox is shown.

/** Messages `chat.*` of groups. */
export const groups = {
  "chat.newGroupText":
    "Up to {most} people. Messages are encrypted separately for each member's devices; relays don't know that the group exists.",
  "chat.groupLarge": "Members with an earlier version reach only the {count} who were in the group first, until they update.",
  "chat.createGroup": "Create group",
  "chat.groupName": "Group name",
  "chat.groupNameLong": "The name is too long.",
  "chat.groupFind": "Find a contact",
  "chat.groupNoContacts": "No contacts to add. Only contacts can be added to a group.",
  "chat.groupChosen": "{count} of {most} selected",
  "chat.groupMemberList": "Members",
  "chat.groupMemberMenu": "More about {name}",
  "chat.groupAdmin": "Admin",
  "chat.groupOwner": "Owner",
  "chat.groupAdminHint": "{name} and the admins can add, remove, rename and change the picture.",
  "chat.groupNoOwnerHint": "The owner has left. The admins can add, remove, rename and change the picture; no one can name further ones.",
  "chat.groupRename": "Rename",
  "chat.groupAdd": "Add people",
  "chat.groupAddText": "They see messages from now on, but nothing earlier.",
  "chat.groupMakeAdmin": "Make admin",
  "chat.groupEndAdmin": "Remove as admin",
  "chat.groupMakeOwner": "Make owner",
  "chat.groupOwnerTitle": "Make {name} the owner?",
  "chat.groupOwnerText":
    "You become a member like others, and only {name} can undo that. It counts once a payment of yours to yourself is in a block: that costs a fee, and everyone can see that you have passed on a group, but not which.",
  "chat.groupOwnerConfirm": "Sign and make owner",
  "chat.groupOwnerPending": "{name} becomes the owner as soon as a block has the payment.",
  "chat.groupOwnerWaits": "Next owner",
  "chat.groupLittleRoom":
    "There is little room for further changes. The owner's app makes room while it is open, once all members have an up-to-date version.",
  "chat.groupRemove": "Remove from group",
  "chat.groupRemoveTitle": "Remove {name} from the group?",
  "chat.groupRemoveText": "They are notified and keep what they have received so far.",
  "chat.groupAgain": "New group with these people",
  "chat.groupNotContacts": {
    one: "{count} member isn't a contact of yours and can't be added.",
    other: "{count} members aren't contacts of yours and can't be added.",
  },
  "chat.groupLeave": "Leave group",
  "chat.groupLeaveTitle": "Leave this group?",
  "chat.groupLeaveText": "You no longer receive messages from this group. What is on this device stays.",
  "chat.groupLeaveOwner":
    "You no longer receive messages from this group. Its admins stay, or else the longest-standing member becomes one; no one can name further ones. To avoid that, make someone else the owner first.",
  "chat.groupLeftNote": "You are no longer in this group.",
  "chat.groupStrangerTitle": "{name}, whom you don't know, added you to this group.",
  "chat.groupStrangerText": "They can't see that you read their messages until you write.",
} as const;
