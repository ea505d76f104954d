// Entry of the interface: builds what lives as long as the window and renders the app.
import "virtual:emoji-fonts.css";
import "./components/styles/fonts.css";
import "./components/styles/tokens.css";
import "./components/styles/base.css";
import "./components/styles/forced-colours.css";
import { createRoot } from "react-dom/client";
import { assertInvariant } from "#shared/util/assert.ts";
import { App } from "./app/app.tsx";
import { allowOwnWorkers } from "./lib/browser/trusted-types.ts";
import { refuseDroppedFiles } from "./lib/browser/window/dropped-files.ts";
import { measureScrollbar } from "./lib/browser/window/scrollbar-width.ts";
import { createKeyring } from "./lib/keyring/create-keyring.ts";
import { LanguageInUse } from "./lib/messages/language-in-use.ts";
import { createNodeAccess } from "./lib/node/access/node-access.ts";
import { createQueryClient } from "./lib/node/query-client.ts";
import { useSettings } from "./lib/settings/settings-store.ts";

allowOwnWorkers();
refuseDroppedFiles(window);
measureScrollbar(document);
const root = document.getElementById("root");
assertInvariant(root !== null, "The document has no element #root");

const keyring = createKeyring();
const node = createNodeAccess(async ({ auth_required, chain_id, nonce }) =>
  auth_required ? keyring.authenticateWebSocket({ chainId: chain_id, nonce }) : undefined,
);
const hasGallery = import.meta.env.DEV || import.meta.env.VITE_GALLERY === "true";
const gallery = !hasGallery ? "none" : location.pathname === "/gallery" ? "shown" : "available";

const language = await LanguageInUse.open(useSettings.getState().language, navigator.languages);

createRoot(root).render(<App keyring={keyring} node={node} queryClient={createQueryClient()} language={language} gallery={gallery} />);
