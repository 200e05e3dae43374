/** The ways in which the person can prove that it is them, for the dialog and the page of the step-up. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../components/button.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { ProviderMark, useProviderName } from '../components/links/provider-link.tsx';
import { Notice, RefusalNotice } from '../components/notice.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { CodeField } from '../forms/field.tsx';
import { useOneField } from '../forms/one-field.ts';
import { PasswordField } from '../forms/password-fields.tsx';
import { type FetchProofsQuery, ReauthenticateDocument } from '../generated/graphql.ts';
import { hasCode } from '../session/refusal.ts';
import { useSession } from '../session/session-context.tsx';
import type { StepUpNeed } from '../session/step-up.ts';
import { proofsQuery } from './proofs-query.ts';

const PasskeyProof = lazyComponent(async () => (await import('../passkeys/passkey-proof.tsx')).PasskeyProof);

interface ProofFormProps {
  readonly need: StepUpNeed;
  /** Path of this portal where a proof at the provider returns to. */
  readonly returnPath: string;
  readonly onProven: () => void;
}

export const ProofForm = (props: ProofFormProps) => {
  const proofs = useQuery(proofsQuery(useSession()));
  return proofs.data === undefined ? <QueryState query={proofs} /> : <Proofs {...props} proofs={proofs.data} />;
};

const Proofs = ({ proofs, need, returnPath, onProven }: ProofFormProps & { readonly proofs: FetchProofsQuery }) => {
  const provider = useProviderName();
  const { me, mySecondFactor } = proofs;
  const byFirstFactor = need === 'authentication';
  // A password alone is no proof where one-time codes are set.
  const byPassword = byFirstFactor && me.hasPassword && !mySecondFactor.hasOneTimeCodes;
  const byCode = mySecondFactor.hasOneTimeCodes;
  const byPasskey = useRouter().options.context.hasPasskeys && mySecondFactor.methods.includes('PASSKEY');
  // The session that begins after a sign-in by the provider would have lost the second factor of this one.
  const keepsFactor = mySecondFactor.sessionHasSecondFactor && (byCode || byPasskey);
  const byProvider = byFirstFactor && !keepsFactor && provider !== undefined && me.externalIdentity !== null;
  return (
    <div className="space-y-5">
      {byPassword && <PasswordProof onProven={onProven} />}
      {byCode && <CodeProof onProven={onProven} />}
      {byProvider && <ProviderProof provider={provider} returnPath={returnPath} />}
      {byPasskey && (
        <Suspense fallback={null}>
          <PasskeyProof onProven={onProven} />
        </Suspense>
      )}
      {!byPassword && !byCode && !byProvider && !byPasskey && <NoProof need={need} returnPath={returnPath} />}
    </div>
  );
};

const NoProof = ({ need, returnPath }: Pick<ProofFormProps, 'need' | 'returnPath'>) => {
  const t = useTranslations('stepUp');
  const { settle } = useSession().stepUp;
  if (need === 'authentication') {
    return (
      <Notice tone="warning">
        <p>{t('nothing')}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warning">
      <p>{t('noSecondFactor')}</p>
      <Link
        to="/account/security"
        search={{ redirect: returnPath }}
        className={buttonClass('secondary')}
        onClick={() => settle(false)}
      >
        {t('setUp')}
      </Link>
    </Notice>
  );
};

const PasswordProof = ({ onProven }: Pick<ProofFormProps, 'onProven'>) => {
  const t = useTranslations('stepUp');
  const fields = useTranslations('fields');
  const session = useSession();
  const field = useOneField({ missing: fields('passwordMissing'), isTrimmed: false });
  const proof = useMutation({
    mutationFn: (password: string) => session.send(ReauthenticateDocument, { input: { password } }),
    onSuccess: onProven,
  });
  const isWrong = proof.isError && hasCode(proof.error, 'INVALID_CREDENTIALS');
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((password) => proof.mutate(password))}>
      {proof.isError && !isWrong && <RefusalNotice error={proof.error} />}
      <PasswordField
        {...field.input}
        name="password"
        label={t('password')}
        autoComplete="current-password"
        autoFocus
        problem={field.problem ?? (isWrong ? t('wrongPassword') : undefined)}
      />
      <SubmitButton busy={proof.isPending || proof.isSuccess}>{t('submit')}</SubmitButton>
    </form>
  );
};

const CodeProof = ({ onProven }: Pick<ProofFormProps, 'onProven'>) => {
  const t = useTranslations('stepUp');
  const fields = useTranslations('fields');
  const session = useSession();
  const field = useOneField({ missing: fields('codeMissing') });
  const proof = useMutation({
    mutationFn: (code: string) => session.send(ReauthenticateDocument, { input: { code } }),
    onSuccess: onProven,
    onError: field.focus,
  });
  const isWrong = proof.isError && hasCode(proof.error, 'INVALID_CREDENTIALS');
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((code) => proof.mutate(code))}>
      {proof.isError && !isWrong && <RefusalNotice error={proof.error} />}
      <CodeField {...field.input} label={t('code')} problem={field.problem ?? (isWrong ? t('wrongCode') : undefined)} />
      <SubmitButton busy={proof.isPending || proof.isSuccess}>{t('submitCode')}</SubmitButton>
    </form>
  );
};

/** A full page load: the provider asks the person again, and the session that begins afterwards is fresh. */
const ProviderProof = ({ provider, returnPath }: { readonly provider: string; readonly returnPath: string }) => {
  const t = useTranslations('stepUp');
  return (
    <div className="space-y-2">
      <a
        href={`/auth/google?reauthenticate=true&redirect=${encodeURIComponent(returnPath)}`}
        className={buttonClass('secondary', 'min-h-12 w-full py-2')}
      >
        <ProviderMark name={provider} />
        <span className="min-w-0 wrap-anywhere">{t('withProvider', { provider })}</span>
      </a>
      <p className="text-sm text-soft">{t('providerLeaves', { provider })}</p>
    </div>
  );
};
