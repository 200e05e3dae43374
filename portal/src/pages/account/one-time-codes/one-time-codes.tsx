/** Section of /account/security: one-time codes and recovery codes, set up, renewed and turned off. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, Suspense, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountRefusal } from '../../../components/account-refusal.tsx';
import { Button } from '../../../components/button.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { Section, SectionLoading } from '../../../components/section.tsx';
import {
  DisableTotpDocument,
  type FetchProofsQuery,
  RegenerateRecoveryCodesDocument,
} from '../../../generated/graphql.ts';
import { useSession } from '../../../session/session-context.tsx';
import { proofsQuery } from '../../../step-up/proofs-query.ts';

const TotpSetUp = lazyComponent(async () => (await import('./totp-set-up.tsx')).TotpSetUp);
const RecoveryCodes = lazyComponent(async () => (await import('./recovery-codes.tsx')).RecoveryCodes);

type View =
  | { readonly kind: 'state'; readonly hasTurnedOff?: true }
  | { readonly kind: 'set_up' }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

export const OneTimeCodes = () => {
  const t = useTranslations('oneTimeCodes');
  const queries = useQueryClient();
  const proofs = useQuery(proofsQuery(useSession()));
  const [view, setView] = useState<View>({ kind: 'state' });
  const content = useRef<HTMLDivElement>(null);
  const change = (next: View) => {
    setView(next);
    void queries.invalidateQueries({ queryKey: ['proofs'] });
    content.current?.focus();
  };
  return (
    <Section title={t('title')} lead={t('lead')}>
      <div ref={content} tabIndex={-1} className="outline-none">
        <Suspense fallback={<SectionLoading />}>
          {view.kind === 'set_up' && (
            <TotpSetUp
              onConfirmed={(codes) => change({ kind: 'codes', codes })}
              onClose={() => setView({ kind: 'state' })}
            />
          )}
          {view.kind === 'codes' && <RecoveryCodes codes={view.codes} onDone={() => change({ kind: 'state' })} />}
        </Suspense>
        {view.kind === 'state' && (
          <>
            <div role="status">
              {view.hasTurnedOff === true && (
                <div className="p-3">
                  <Notice tone="success">
                    <p>{t('turnedOff')}</p>
                  </Notice>
                </div>
              )}
            </div>
            <QueryState query={proofs} />
            {proofs.data !== undefined && (
              <State factors={proofs.data.mySecondFactor} content={content} onView={change} />
            )}
          </>
        )}
      </div>
    </Section>
  );
};

interface StateProps {
  readonly factors: FetchProofsQuery['mySecondFactor'];
  /** Receives the focus when a focused button is unmounted. */
  readonly content: RefObject<HTMLElement | null>;
  readonly onView: (view: View) => void;
}

const State = ({ factors, content, onView }: StateProps) => {
  const t = useTranslations('oneTimeCodes');
  const session = useSession();
  const [question, setQuestion] = useState<'new' | 'off'>();
  const close = () => setQuestion(undefined);
  const setUp = () => onView({ kind: 'set_up' });
  const { hasOneTimeCodes, recoveryCodesLeft } = factors;
  return (
    <div className="space-y-4 px-5 py-4 sm:px-6">
      <div>
        <p className="font-semibold">{t(hasOneTimeCodes ? 'on' : 'off')}</p>
        <p className="text-soft">
          {hasOneTimeCodes ? t('recoveryCodesLeft', { count: recoveryCodesLeft }) : t('offText')}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {hasOneTimeCodes ? (
          <>
            <Button variant="secondary" onClick={() => setQuestion('new')}>
              {t('newRecoveryCodes')}
            </Button>
            <Button variant="secondary" onClick={setUp}>
              {t('useOtherApp')}
            </Button>
            <Button variant="danger-secondary" onClick={() => setQuestion('off')}>
              {t('turnOff')}
            </Button>
          </>
        ) : (
          <Button onClick={setUp}>{t('setUp')}</Button>
        )}
      </div>
      <FactorQuestion
        open={question === 'off'}
        kind="confirmOff"
        content={content}
        act={async () => {
          await session.request(DisableTotpDocument, {});
          return { kind: 'state', hasTurnedOff: true };
        }}
        onDone={onView}
        onClose={close}
      />
      <FactorQuestion
        open={question === 'new'}
        kind="confirmNew"
        content={content}
        act={async () => {
          const { regenerateRecoveryCodes } = await session.request(RegenerateRecoveryCodesDocument, {});
          return { kind: 'codes', codes: regenerateRecoveryCodes.codes };
        }}
        onDone={onView}
        onClose={close}
      />
    </div>
  );
};

interface FactorQuestionProps extends Pick<StateProps, 'content'> {
  readonly open: boolean;
  readonly kind: 'confirmOff' | 'confirmNew';
  /** @returns what is shown afterwards */
  readonly act: () => Promise<View>;
  readonly onDone: (view: View) => void;
  readonly onClose: () => void;
}

/** Asks before one-time codes or recovery codes go. */
const FactorQuestion = ({ open, kind, content, act, onDone, onClose }: FactorQuestionProps) => {
  const t = useTranslations('oneTimeCodes');
  const change = useMutation({
    mutationFn: act,
    onSuccess: (view) => {
      onClose();
      onDone(view);
    },
  });
  return (
    <ConfirmDialog
      open={open}
      title={t(`${kind}.title`)}
      text={t(`${kind}.text`)}
      submit={t(`${kind}.submit`)}
      busy={change.isPending}
      problem={change.isError && <AccountRefusal error={change.error} />}
      focusAfter={content}
      onConfirm={() => change.mutate()}
      onClose={() => {
        change.reset();
        onClose();
      }}
    />
  );
};
