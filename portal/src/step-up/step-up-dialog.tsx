/** The dialog of the step-up, shown over whatever page began an operation that needs a proof. */
import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import type { StepUpNeed } from '../session/step-up.ts';
import { ProofForm } from './proof-form.tsx';

interface StepUpDialogProps {
  readonly need: StepUpNeed;
  readonly onSettled: (isProven: boolean) => void;
}

export const StepUpDialog = ({ need, onSettled }: StepUpDialogProps) => {
  const t = useTranslations('stepUp');
  const common = useTranslations('common');
  const returnPath = useRouterState({ select: ({ location }) => location.href });
  const queries = useQueryClient();
  const settle = () => {
    void queries.invalidateQueries({ queryKey: ['proofs'] });
    onSettled(true);
  };
  return (
    <Dialog.Root open={true} onOpenChange={(next) => !next && onSettled(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-[#06110d]/50" />
        <Dialog.Viewport className="fixed inset-0 grid grid-cols-[minmax(0,1fr)] place-items-end overflow-y-auto p-4 sm:place-items-center">
          <Dialog.Popup className="w-full max-w-md space-y-5 rounded-card border border-line bg-surface p-6 shadow-2xl shadow-black/20 outline-none">
            <div className="space-y-2">
              <Dialog.Title className="text-lg font-semibold tracking-[-0.015em]">{t('title')}</Dialog.Title>
              <Dialog.Description className="leading-relaxed text-soft">
                {t(need === 'authentication' ? 'lead' : 'leadSecondFactor')}
              </Dialog.Description>
            </div>
            <ProofForm need={need} returnPath={returnPath} onProven={settle} />
            <Dialog.Close
              render={
                <Button variant="secondary" className="min-h-12 w-full">
                  {common('cancel')}
                </Button>
              }
            />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
