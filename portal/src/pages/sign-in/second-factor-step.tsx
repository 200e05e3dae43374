/** The second step of a sign-in: a one-time code or a recovery code, loaded when the first step asks for it. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApplication } from '../../components/application.tsx';
import { Button } from '../../components/button.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { SubmitButton } from '../../components/submit-button.tsx';
import { CodeField } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { CompleteSecondFactorDocument, type CompleteSecondFactorInput } from '../../generated/graphql.ts';
import { hasCode, type Refusal } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';

interface SecondFactorStepProps {
  /** The refusal SECOND_FACTOR_REQUIRED of the first step. */
  readonly challenge: Refusal;
  readonly onStartAgain: () => void;
}

const completeSecondFactor = (session: Session, input: CompleteSecondFactorInput): Promise<unknown> =>
  session.begin(
    (send) => send(CompleteSecondFactorDocument, { input }),
    (answer) => answer.completeSecondFactor.user,
  );

/** The challenge and the methods in the refusal. */
const readChallenge = ({ extensions }: Refusal) => {
  const { challenge, methods } = extensions;
  return {
    challenge: typeof challenge === 'string' ? challenge : '',
    has: (method: string): boolean => Array.isArray(methods) && methods.includes(method),
  };
};

export const SecondFactorStep = ({ challenge: refusal, onStartAgain }: SecondFactorStepProps) => {
  const t = useTranslations('secondFactor');
  const session = useSession();
  const [byRecoveryCode, setByRecoveryCode] = useState(false);
  const { challenge, has } = readChallenge(refusal);
  const attempt = useMutation({
    mutationFn: (code: string) => completeSecondFactor(session, { challenge, code }),
  });
  if (attempt.isError && hasCode(attempt.error, 'CHALLENGE_REFUSED')) return <Over onStartAgain={onStartAgain} />;
  return (
    <div className="space-y-7">
      <CodeForm
        // A new form, with an empty field, for each kind of code.
        key={String(byRecoveryCode)}
        byRecoveryCode={byRecoveryCode}
        hasRecoveryCodes={has('RECOVERY_CODE')}
        error={attempt.error}
        busy={attempt.isPending || attempt.isSuccess}
        onSubmit={attempt.mutateAsync}
      />
      <div className="space-y-3">
        {has('RECOVERY_CODE') ? (
          <Button
            variant="secondary"
            className="w-full"
            onClick={() => {
              attempt.reset();
              setByRecoveryCode(!byRecoveryCode);
            }}
          >
            {t(byRecoveryCode ? 'useApp' : 'useRecoveryCode')}
          </Button>
        ) : (
          <p className="text-soft">{t('noRecoveryCode')}</p>
        )}
        <Button variant="secondary" className="w-full" onClick={onStartAgain}>
          {t('startAgain')}
        </Button>
        {has('PASSKEY') && <p className="text-soft">{t('passkey')}</p>}
      </div>
      <Lost />
    </div>
  );
};

interface CodeFormProps {
  readonly byRecoveryCode: boolean;
  readonly hasRecoveryCodes: boolean;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onSubmit: (code: string) => Promise<unknown>;
}

const CodeForm = ({ byRecoveryCode, hasRecoveryCodes, error, busy, onSubmit }: CodeFormProps) => {
  const t = useTranslations('secondFactor');
  const fields = useTranslations('fields');
  const leadId = useId();
  const field = useOneField({ missing: fields('codeMissing') });
  // The heading takes the focus of a new page; here the field is what the person came for.
  useEffect(field.focus, []);
  const isWrong = hasCode(error, 'INVALID_CREDENTIALS');
  const isLimited = hasCode(error, 'RATE_LIMITED') && !byRecoveryCode;
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((code) => void onSubmit(code).catch(field.focus))}>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p id={leadId} className="text-soft">
          {t(byRecoveryCode ? 'leadRecovery' : 'lead')}
        </p>
      </div>
      {isLimited && <Limited refusal={error} hasRecoveryCodes={hasRecoveryCodes} />}
      {error !== null && !isWrong && !isLimited && <RefusalNotice error={error} />}
      <CodeField
        {...field.input}
        label={t(byRecoveryCode ? 'recoveryCode' : 'code')}
        inputMode={byRecoveryCode ? 'text' : 'numeric'}
        autoComplete={byRecoveryCode ? 'off' : 'one-time-code'}
        describedBy={leadId}
        className="font-mono tracking-widest"
        problem={field.problem ?? (isWrong ? t('wrong') : undefined)}
      />
      <SubmitButton busy={busy}>{t('submit')}</SubmitButton>
    </form>
  );
};

const Limited = ({ refusal, hasRecoveryCodes }: { readonly refusal: Refusal; readonly hasRecoveryCodes: boolean }) => {
  const t = useTranslations('secondFactor');
  const minutes = Math.max(1, Math.ceil((refusal.retryAfterSeconds ?? 0) / 60));
  return (
    <Notice tone="error">
      <p>
        {t('limited', { minutes })} {hasRecoveryCodes && t('limitedRecovery')}
      </p>
    </Notice>
  );
};

const Over = ({ onStartAgain }: Pick<SecondFactorStepProps, 'onStartAgain'>) => {
  const t = useTranslations('secondFactor');
  return (
    <div className="space-y-6">
      <PageHeading title={t('overTitle')} />
      <p className="leading-relaxed text-soft">{t('over')}</p>
      <Button className="min-h-12 w-full" onClick={onStartAgain}>
        {t('startAgain')}
      </Button>
    </div>
  );
};

/** The way on when neither the app nor a recovery code is left: only the operator helps. */
const Lost = () => {
  const t = useTranslations('secondFactor');
  const { support } = useApplication().links;
  return (
    <details className="text-soft">
      <summary className="min-h-11 content-center">{t('lost')}</summary>
      <p className="leading-relaxed">
        {t('lostText')}{' '}
        {support !== undefined && (
          <a href={support} rel="noreferrer" className="text-link">
            {t('support')}
          </a>
        )}
      </p>
    </details>
  );
};
