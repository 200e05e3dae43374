/**
 * The window of a confirmation. The focus starts on "Cancel" or in a field that must be filled, and the window stays
 * open until the request succeeds.
 */
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, type RefObject, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../button.tsx';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly text: string;
  /** A consequence to point out, shown below the text. */
  readonly warning?: ReactNode;
  readonly submit: string;
  /** Whether the action destroys nothing. */
  readonly isHarmless?: boolean;
  readonly busy: boolean;
  /** A failed attempt, shown inside the dialog. */
  readonly problem?: ReactNode;
  /** Receives the focus at first; "Cancel" when omitted. */
  readonly focusFirst?: RefObject<HTMLElement | null>;
  /** Receives the focus after the action, whose trigger may no longer exist. After "Cancel" the focus goes back. */
  readonly focusAfter?: RefObject<HTMLElement | null>;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export const ConfirmWindow = (props: ConfirmDialogProps) => {
  const { open, title, text, warning, submit, isHarmless = false, busy, problem } = props;
  const { focusFirst, focusAfter, onConfirm, onClose } = props;
  const t = useTranslations('common');
  const cancel = useRef<HTMLButtonElement>(null);
  const wasCancelled = useRef(false);
  const onOpenChange = (next: boolean): void => {
    if (next || busy) return;
    wasCancelled.current = true;
    onClose();
  };
  const onSubmit = (): void => {
    wasCancelled.current = false;
    onConfirm();
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 bg-[#06110d]/50 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Viewport className="fixed inset-0 grid grid-cols-[minmax(0,1fr)] place-items-end overflow-y-auto p-4 sm:place-items-center">
          <AlertDialog.Popup
            initialFocus={focusFirst ?? cancel}
            finalFocus={() => (wasCancelled.current ? true : (focusAfter?.current ?? true))}
            className="w-full max-w-md space-y-5 rounded-card border border-line bg-surface p-6 shadow-2xl shadow-black/20 outline-none transition-[opacity,transform] duration-150 ease-settle data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0"
          >
            <div className="space-y-2">
              <AlertDialog.Title className="text-lg font-semibold tracking-[-0.015em] wrap-anywhere">
                {title}
              </AlertDialog.Title>
              <AlertDialog.Description className="leading-relaxed wrap-anywhere text-soft">
                {text}
              </AlertDialog.Description>
            </div>
            {warning}
            {problem}
            <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <AlertDialog.Close ref={cancel} render={<Button variant="secondary">{t('cancel')}</Button>} />
              <Button variant={isHarmless ? 'primary' : 'danger'} busy={busy} onClick={onSubmit}>
                {submit}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
