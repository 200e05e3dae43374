/** /verify/:token: confirms an e-mail address, on the person's press and not before: mail scanners open links too. */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../components/button.tsx';
import { MailboxLink } from '../components/mailbox-link.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { RefusalNotice } from '../components/refusal-notice.tsx';
import { PageWords, withOwnWords } from '../components/words.tsx';
import { type EmailValidationStatus, ValidateEmailDocument } from '../generated/graphql.ts';
import { verify } from '../messages/verify.ts';
import { hasCode } from '../session/refusal.ts';
import { useSession } from '../session/session-context.tsx';
import type { Send } from '../session/transport.ts';

const route = getRouteApi('/entrance/verify/$token');

const pageWords = withOwnWords({ verify });

export const VerifyPage = () => (
  <PageWords words={pageWords}>
    <Verification />
  </PageWords>
);

const Verification = () => {
  const t = useTranslations('verify');
  const { token } = route.useParams();
  const { redirect } = route.useSearch();
  const { request } = useSession();
  const validation = useMutation({ mutationFn: () => validate(request, token) });
  if (validation.isSuccess) return <Outcome status={validation.data} redirect={redirect} />;
  return (
    <div className="space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      {validation.isError && <RefusalNotice error={validation.error} />}
      <Button className="min-h-12 w-full" busy={validation.isPending} onClick={() => validation.mutate()}>
        {t('submit')}
      </Button>
    </div>
  );
};

const validate = async (request: Send, token: string): Promise<EmailValidationStatus> => {
  try {
    const { validateEmail } = await request(ValidateEmailDocument, { token });
    return validateEmail.status;
  } catch (error) {
    // A link cut short on its way is to the person what an unknown one is.
    if (hasCode(error, 'BAD_USER_INPUT')) return 'INVALID';
    throw error;
  }
};

interface OutcomeProps {
  readonly status: EmailValidationStatus;
  readonly redirect: string | undefined;
}

const Outcome = ({ status, redirect }: OutcomeProps) => {
  const t = useTranslations('verify');
  return (
    <div className="settle space-y-6">
      <PageHeading title={t(`${status}.title`)} />
      <p className="leading-relaxed text-soft">{t(`${status}.text`)}</p>
      <div className="space-y-3">
        {(status === 'VERIFIED' || status === 'INVALID') && (
          <Link to="/signin" search={{ redirect }} className={buttonClass('primary', 'min-h-12 w-full')}>
            {t('signIn')}
          </Link>
        )}
        {status.startsWith('EXPIRED') && <MailboxLink isNextStep />}
        {(status === 'EXPIRED' || status === 'INVALID') && (
          <Link to="/signup" search={{ redirect }} className={buttonClass('quiet', 'w-full')}>
            {t('signUp')}
          </Link>
        )}
      </div>
    </div>
  );
};
