// What the shell passes to everything that it opens above the view.

/** Props of palette and sheets. */
export interface OverlayProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}
