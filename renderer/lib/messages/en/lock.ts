// Words of the lock screen and of the dialog that asks for the password.

/** Messages `lock.*`. */
export const lock = {
  "lock.title": "Welcome back",
  "lock.text": "Enter your password to unlock your keys on this device.",
  "lock.unlock": "Unlock",
  "lock.forgot": "Forgot the password?",
  "lock.resetTitle": "Set a new password",
  "lock.resetText": "Your recovery phrase unlocks the same keys. Messages and settings on this device stay.",
  "lock.resetAction": "Set password and unlock",
  "lock.backToPassword": "I remember it",
  "lock.addPhrase": "Add the recovery phrase",
  "lock.addPhraseTitle": "This device has no wallet",
  "lock.addPhraseText":
    "It was linked from another device. To pay and sign here too, add your recovery phrase and enter this device's password.",
  "lock.dialogTitle": "Unlock to sign",
  "lock.dialogText": "Signing needs your password. You keep receiving messages while the wallet is locked.",
  "lock.keychainAsking": "Waiting for this computer's keychain…",
  "lock.keychainFailed": "This computer's keychain couldn't unlock your keys.",
  "lock.keychainFailedText": "It was changed or isn't responding. Nothing is lost; use your password.",
  "lock.confirmTitle": "Confirm with your password",
  "lock.confirm": "Confirm",
  "lock.confirmLinkDevice": "A linked device receives your messages and can write in your name until you unlink it.",
  "lock.confirmAddValidator": "A validator votes on the network's blocks. If it is your own, its bond is locked and can be lost.",
  "lock.confirmRemoveValidator": "A validator that leaves stops voting on the network's blocks.",
  "lock.confirmAutoLock": "With a longer delay, anyone who gets to this device before it locks can use what's open.",
  "lock.confirmOther": "This stays in effect after you lock, so it needs your password.",
} as const;
