// Words of groups, which are not needed before the inbox is shown.

/** Messages `inbox.*` of groups. */
export const groups = {
  "inbox.newGroupText":
    "Up to 32 people. Messages are encrypted separately for each member's devices; relays don't know that the group exists.",
  "inbox.createGroup": "Create group",
  "inbox.groupName": "Group name",
  "inbox.groupNameLong": "The name is too long.",
  "inbox.groupFind": "Find a contact",
  "inbox.groupNoContacts": "No contacts to add. Only contacts can be added to a group.",
  "inbox.groupChosen": "{count} of {most} selected",
  "inbox.groupMemberList": "Members",
  "inbox.groupMemberMenu": "More about {name}",
  "inbox.groupAdmin": "Admin",
  "inbox.groupOwner": "Owner",
  "inbox.groupAdminHint": "{name} and the admins can add, remove and rename.",
  "inbox.groupNoOwnerHint": "The owner has left. The admins can add, remove and rename; no one can name further ones.",
  "inbox.groupRename": "Rename",
  "inbox.groupAdd": "Add people",
  "inbox.groupAddText": "They see messages from now on, but nothing earlier.",
  "inbox.groupMakeAdmin": "Make admin",
  "inbox.groupEndAdmin": "Remove as admin",
  "inbox.groupRemove": "Remove from group",
  "inbox.groupRemoveTitle": "Remove {name} from the group?",
  "inbox.groupRemoveText": "They are notified and keep what they have received so far.",
  "inbox.groupAgain": "New group with these people",
  "inbox.groupNotContacts": {
    one: "{count} member isn't a contact of yours and can't be added.",
    other: "{count} members aren't contacts of yours and can't be added.",
  },
  "inbox.groupLeave": "Leave group",
  "inbox.groupLeaveTitle": "Leave this group?",
  "inbox.groupLeaveText": "You no longer receive messages from this group. What is on this device stays.",
  "inbox.groupLeaveOwner":
    "You no longer receive messages from this group. Its admins stay, or else the longest-standing member becomes one; no one can name further ones.",
  "inbox.groupLeftNote": "You are no longer in this group.",
  "inbox.groupStrangerTitle": "{name}, whom you don't know, added you to this group.",
  "inbox.groupStrangerText": "They can't see that you read their messages until you write.",
} as const;
