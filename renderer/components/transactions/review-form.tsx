// A form that ends in a last check: fields, one button, then the sheet. What is signed is what the fields said when the button was pressed,
// whatever changes behind the sheet.
import { type FormEvent, type ReactElement, type ReactNode, useId, useState } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import styles from "./review-form.module.css";

/** How a sheet ends: back to the form, or taken by the node. To be spread into an `IntentSheet` or a `CallSheet`. */
export interface SheetEnds {
  readonly onClose: () => void;
  readonly onSent: () => void;
}

interface Reviewable<Draft> {
  /** What the fields say; undefined while something is missing or wrong. */
  readonly draft: Draft | undefined;
  /** The sheet of what was reviewed. */
  readonly review: (draft: Draft, ends: SheetEnds) => ReactElement;
  /** The node has taken it. */
  readonly onDone: () => void;
}

interface Review {
  readonly submit: (event: FormEvent) => void;
  /** The sheet, while it is open. */
  readonly sheet: ReactElement | undefined;
}

function useReview<Draft>({ draft, review, onDone }: Reviewable<Draft>): Review {
  const [reviewed, setReviewed] = useState<{ readonly draft: Draft }>();
  return {
    submit: (event): void => {
      event.preventDefault();
      if (draft !== undefined) setReviewed({ draft });
    },
    sheet: reviewed && review(reviewed.draft, { onClose: (): void => setReviewed(undefined), onSent: onDone }),
  };
}

export interface ReviewFormProps<Draft> extends Reviewable<Draft> {
  /** The fields. */
  readonly children: ReactNode;
  /** What stands before the button. */
  readonly beside?: ReactNode;
}

/** The form in a dialog of its own kind. Enter in a field reviews, once everything is there. */
export function ReviewForm<Draft>({ children, beside, ...reviewable }: ReviewFormProps<Draft>): ReactElement {
  const t = useMessages();
  const { submit, sheet } = useReview(reviewable);
  return (
    <>
      <form className={shared.stack4} noValidate onSubmit={submit}>
        {children}
        <footer className={styles.footer}>
          {beside}
          <Button type="submit" variant="primary" disabled={reviewable.draft === undefined}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {sheet}
    </>
  );
}

export interface ReviewDialogProps<Draft> extends Omit<Reviewable<Draft>, "onDone"> {
  readonly title: string;
  readonly description?: string;
  /** The fields. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** The form in a dialog, which closes once the node has taken what was signed. The button stays in sight, however long the form is. */
export function ReviewDialog<Draft>({ title, description, children, onClose, ...reviewable }: ReviewDialogProps<Draft>): ReactElement {
  const t = useMessages();
  const id = useId();
  const { submit, sheet } = useReview({ ...reviewable, onDone: onClose });
  return (
    <Dialog
      open
      keepOpen
      onOpenChange={onClose}
      title={title}
      {...(description !== undefined && { description })}
      footer={
        <Button type="submit" form={id} variant="primary" disabled={reviewable.draft === undefined}>
          {t("transactions.review")}
        </Button>
      }
    >
      <form id={id} className={shared.stack4} noValidate onSubmit={submit}>
        {children}
      </form>
      {sheet}
    </Dialog>
  );
}
