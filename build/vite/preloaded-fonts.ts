// Asks for the fonts of the first text in the page itself: found in the style sheet only, they would come after it, and texts would move.
import type { HtmlTagDescriptor, Plugin } from "vite";

/** Files of fonts that every screen shows, as the packages call them. */
const FIRST_FONTS = ["inter-latin-wght-normal", "jetbrains-mono-latin-wght-normal"];

/** The plugin: a link for each font in the page that is built. @throws Error when the bundle lacks one. */
export function preloadedFonts(): Plugin {
  return {
    name: "parley:fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }): HtmlTagDescriptor[] => {
        const files = Object.keys(bundle);
        return FIRST_FONTS.map((name) => {
          const file = files.find((path) => path.startsWith(`assets/${name}-`));
          if (file === undefined) throw new Error(`The interface has no font ${name}`);
          return {
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          };
        });
      },
    },
  };
}
