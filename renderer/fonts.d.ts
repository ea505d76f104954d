// The style sheet of the font for emoji, which the build cuts into files.

declare module "virtual:emoji-fonts.css";
