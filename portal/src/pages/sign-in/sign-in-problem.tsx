/**
 * What the server says in the address of /signin about a sign-in or a link by the outside provider that came to nothing:
 * in words for a visitor above the form, and on a page of its own for who is signed in all the same.
 */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice, Reference, RefusalNotice, type Tone } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { useProviderName } from '../../components/provider-link.tsx';
import { useSession } from '../../session/session-context.tsx';
import type { Person } from '../../session/session-store.ts';

/** The person's own choice is news, a matter of theirs asks for care, and what should not be is a problem. */
const tones = {
  PROVIDER_CANCELLED: 'news',
  PROVIDER_UNAVAILABLE: 'caution',
  PROVIDER_REFUSED: 'problem',
  ATTEMPT_OVER: 'caution',
  EXCHANGE_REFUSED: 'caution',
  EMAIL_MISSING: 'caution',
  EMAIL_UNVERIFIED: 'caution',
  ACCOUNT_HAS_OTHER_IDENTITY: 'caution',
  ACCOUNT_EXISTS: 'caution',
  IDENTITY_TAKEN: 'caution',
  LINK_SESSION_OVER: 'caution',
  LINK_DECLINED: 'news',
  RATE_LIMITED: 'caution',
  UNAVAILABLE: 'caution',
  ACCOUNT_MISMATCH: 'caution',
  other: 'problem',
} as const satisfies Record<string, Tone>;

type Problem = keyof typeof tones;

const isProblem = (code: string): code is Problem => Object.hasOwn(tones, code);

const problemOf = (code: string): Problem => (isProblem(code) ? code : 'other');

/** These are over because the sign-in is done: by the back button one comes to them again. */
const soonOver: readonly string[] = ['ATTEMPT_OVER', 'EXCHANGE_REFUSED'] satisfies readonly Problem[];

/** These the person decided. */
const decisions: readonly string[] = ['PROVIDER_CANCELLED', 'LINK_DECLINED'] satisfies readonly Problem[];

/** Whether a refusal is worth reading for somebody who is signed in. */
export const concernsSignedIn = (code: string | undefined): code is string =>
  code !== undefined && !soonOver.includes(code);

export const useProviderWord = (): string => {
  const t = useTranslations('external');
  return useProviderName() ?? t('someProvider');
};

interface ProblemProps {
  readonly code: string;
  /** Under this id the server's log has it. */
  readonly id: string | undefined;
}

const ProblemNotice = ({ code, id, children }: ProblemProps & { readonly children: ReactNode }) => (
  <Notice tone={tones[problemOf(code)]}>
    <p>{children}</p>
    {/* What people decide themselves needs no reference for the operator. */}
    {id !== undefined && !decisions.includes(code) && <Reference id={id} />}
  </Notice>
);

export const VisitorProblem = (props: ProblemProps) => {
  const t = useTranslations('external.problems');
  const provider = useProviderWord();
  return <ProblemNotice {...props}>{t(problemOf(props.code), { provider })}</ProblemNotice>;
};

interface SignedInProblemProps extends ProblemProps {
  readonly person: Person;
  /** The person has read it. */
  readonly onGoOn: () => void;
}

export const SignedInProblem = ({ person, onGoOn, ...problem }: SignedInProblemProps) =>
  problem.code === 'ACCOUNT_MISMATCH' ? (
    <Mismatch person={person} onGoOn={onGoOn} />
  ) : (
    <NotDone {...problem} person={person} onGoOn={onGoOn} />
  );

const NotDone = ({ code, id, person, onGoOn }: SignedInProblemProps) => {
  const t = useTranslations('external');
  const provider = useProviderWord();
  return (
    <div className="space-y-6">
      <PageHeading title={t(decisions.includes(code) ? 'signedIn.cancelledTitle' : 'signedIn.title')} />
      <ProblemNotice code={code} id={id}>
        {code === 'ACCOUNT_HAS_OTHER_IDENTITY'
          ? t('signedIn.otherIdentity', { provider })
          : t(`problems.${problemOf(code)}`, { provider })}
      </ProblemNotice>
      <Button className="min-h-12 w-full" onClick={onGoOn}>
        {t('signedIn.goOn', { name: person.name })}
      </Button>
    </div>
  );
};

const Mismatch = ({ person, onGoOn }: Pick<SignedInProblemProps, 'person' | 'onGoOn'>) => {
  const t = useTranslations('external.signedIn');
  const provider = useProviderWord();
  const session = useSession();
  const leaving = useMutation({ mutationFn: session.signOut, onSuccess: onGoOn });
  return (
    <div className="space-y-6">
      <PageHeading title={t('mismatchTitle')} />
      <div className="space-y-3 leading-relaxed break-words text-soft">
        <p>{t.rich('mismatch', { email: person.email, provider, who: strong })}</p>
        <p>{t('mismatchAdvice')}</p>
      </div>
      {leaving.isError && <RefusalNotice error={leaving.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" onClick={onGoOn}>
          {t('goOn', { name: person.name })}
        </Button>
        <Button look="quiet" className="w-full" busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {t('signOut')}
        </Button>
      </div>
    </div>
  );
};

const strong = (text: ReactNode) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>;
