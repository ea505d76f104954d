// Words of the view "Wallet".

/** Messages `wallet.*`. */
export const wallet = {
  "wallet.title": "Wallet",
} as const;
