// Version of the public interface and the features that a client relies on.

/** Version and title of the machine-readable description. */
export const API_VERSION = "0.4.0";
export const API_TITLE = "Node API";

/** Features without which a client treats a node as unsupported. */
export const REQUIRED_FEATURES = [
  "chain_id",
  "feed_v2",
  "identity_registry",
  "media_scrub",
  "onboarding_api",
  "relay_broadcast",
  "relay_mailbox",
  "ws_submit_tx",
] as const;
