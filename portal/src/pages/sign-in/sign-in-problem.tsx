/**
 * Problems of an external sign-in or link, reported in the URL of /signin: a notice above the form for visitors, and a
 * page for people who are signed in.
 */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { useProviderName } from '../../components/links/provider-link.tsx';
import { Notice, Reference, RefusalNotice, type Tone } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import type { Person } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';

/** Info for the person's own decision, warning for what they can resolve, error for unexpected failures. */
const tones = {
  PROVIDER_CANCELLED: 'info',
  PROVIDER_UNAVAILABLE: 'warning',
  PROVIDER_REFUSED: 'error',
  ATTEMPT_OVER: 'warning',
  EXCHANGE_REFUSED: 'warning',
  EMAIL_MISSING: 'warning',
  EMAIL_UNVERIFIED: 'warning',
  ACCOUNT_HAS_OTHER_IDENTITY: 'warning',
  ACCOUNT_EXISTS: 'warning',
  ACCOUNT_SUSPENDED: 'error',
  IDENTITY_TAKEN: 'warning',
  LINK_SESSION_OVER: 'warning',
  LINK_DECLINED: 'info',
  RATE_LIMITED: 'warning',
  UNAVAILABLE: 'warning',
  ACCOUNT_MISMATCH: 'warning',
  other: 'error',
} as const satisfies Record<string, Tone>;

type Problem = keyof typeof tones;

const isProblem = (code: string): code is Problem => Object.hasOwn(tones, code);

const problemOf = (code: string): Problem => (isProblem(code) ? code : 'other');

/** Obsolete once signed in: the back button leads to them again. */
const staleAfterSignIn: readonly string[] = ['ATTEMPT_OVER', 'EXCHANGE_REFUSED'] satisfies readonly Problem[];

/** The person's own decisions. */
const userDecisions: readonly string[] = ['PROVIDER_CANCELLED', 'LINK_DECLINED'] satisfies readonly Problem[];

/** Whether a problem is shown to a person who is signed in. */
export const isRelevantWhenSignedIn = (code: string | undefined): code is string =>
  code !== undefined && !staleAfterSignIn.includes(code);

export const useProviderLabel = (): string => {
  const t = useTranslations('external');
  return useProviderName() ?? t('someProvider');
};

interface ProblemProps {
  readonly code: string;
  /** Correlation id in the server's log. */
  readonly id: string | undefined;
}

const ProblemNotice = ({ code, id, children }: ProblemProps & { readonly children: ReactNode }) => (
  <Notice tone={tones[problemOf(code)]}>
    <p>{children}</p>
    {/* The person's own decision needs no reference id. */}
    {id !== undefined && !userDecisions.includes(code) && <Reference id={id} />}
  </Notice>
);

export const VisitorProblem = (props: ProblemProps) => {
  const t = useTranslations('external.problems');
  const provider = useProviderLabel();
  return <ProblemNotice {...props}>{t(problemOf(props.code), { provider })}</ProblemNotice>;
};

interface SignedInProblemProps extends ProblemProps {
  readonly person: Person;
  /** Called when the person dismisses the problem. */
  readonly onContinue: () => void;
}

export const SignedInProblem = ({ person, onContinue, ...problem }: SignedInProblemProps) =>
  problem.code === 'ACCOUNT_MISMATCH' ? (
    <Mismatch person={person} onContinue={onContinue} />
  ) : (
    <NotCompleted {...problem} person={person} onContinue={onContinue} />
  );

const NotCompleted = ({ code, id, person, onContinue }: SignedInProblemProps) => {
  const t = useTranslations('external');
  const provider = useProviderLabel();
  return (
    <div className="space-y-6">
      <PageHeading title={t(userDecisions.includes(code) ? 'signedIn.cancelledTitle' : 'signedIn.title')} />
      <ProblemNotice code={code} id={id}>
        {code === 'ACCOUNT_HAS_OTHER_IDENTITY'
          ? t('signedIn.otherIdentity', { provider })
          : t(`problems.${problemOf(code)}`, { provider })}
      </ProblemNotice>
      <Button className="min-h-12 w-full" onClick={onContinue}>
        {t('signedIn.continueAs', { name: person.name })}
      </Button>
    </div>
  );
};

const Mismatch = ({ person, onContinue }: Pick<SignedInProblemProps, 'person' | 'onContinue'>) => {
  const t = useTranslations('external.signedIn');
  const provider = useProviderLabel();
  const session = useSession();
  const signOut = useMutation({ mutationFn: session.signOut, onSuccess: onContinue });
  return (
    <div className="space-y-6">
      <PageHeading title={t('mismatchTitle')} />
      <div className="space-y-3 leading-relaxed wrap-anywhere text-soft">
        <p>{t.rich('mismatch', { email: person.email, provider, who: strong })}</p>
        <p>{t('mismatchAdvice')}</p>
      </div>
      {signOut.isError && <RefusalNotice error={signOut.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" onClick={onContinue}>
          {t('continueAs', { name: person.name })}
        </Button>
        <Button variant="secondary" className="w-full" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </Button>
      </div>
    </div>
  );
};

const strong = (text: ReactNode) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>;
