// Words of the lock screen and of the dialog that asks for the password.

/** Messages `lock.*`. */
export const lock = {
  "lock.title": "Welcome back",
  "lock.text": "Enter your password to open your keys on this device.",
  "lock.password": "Password",
  "lock.unlock": "Unlock",
  "lock.forgot": "Forgot the password?",
  "lock.resetTitle": "Set a new password",
  "lock.resetText": "Your recovery phrase opens the same keys. Messages and settings on this device stay.",
  "lock.resetAction": "Set password and unlock",
  "lock.backToPassword": "I remember it",
  "lock.addPhrase": "Add the recovery phrase",
  "lock.addPhraseTitle": "This device has no wallet",
  "lock.addPhraseText":
    "It was linked by another device. With your recovery phrase it can pay and sign as well; the password is that of this device.",
  "lock.dialogTitle": "Unlock to sign",
  "lock.dialogText": "Signing needs your password. Messages keep arriving while the wallet is locked.",
  "lock.keychainAsking": "Asking this computer's keychain…",
  "lock.keychainFailed": "This computer's keychain did not open your keys.",
  "lock.keychainFailedText": "It was changed or does not answer. Nothing is lost: your password opens them.",
  "lock.keychainRetry": "Ask again",
} as const;
