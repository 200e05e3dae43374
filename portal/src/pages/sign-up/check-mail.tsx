/** After sign-up: the message is on its way. Says nothing about whether the address was known. */
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { MailboxLink } from '../../components/mailbox-link.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { ResendVerificationDocument } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';

interface CheckMailProps {
  readonly email: string;
  readonly verificationRequired: boolean;
  readonly redirect: string | undefined;
  readonly onOtherAddress: () => void;
}

export const CheckMail = ({ email, verificationRequired, redirect, onOtherAddress }: CheckMailProps) => {
  const t = useTranslations('checkMail');
  const common = useTranslations('common');
  if (!verificationRequired) {
    return (
      <div className="settle space-y-6">
        <PageHeading title={t('readyTitle')} />
        <p className="leading-relaxed text-soft">{t('ready')}</p>
        <Link to="/signin" search={{ redirect }} className={buttonClass('primary', 'w-full')}>
          {common('toSignIn')}
        </Link>
      </div>
    );
  }
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <div className="space-y-3 leading-relaxed text-soft">
        <p>
          {t.rich('sent', {
            email,
            address: (text) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>,
          })}{' '}
          {t('validity')}
        </p>
        <p>{t('missing')}</p>
      </div>
      <div className="space-y-3">
        <MailboxLink isNextStep />
        <SendAgain email={email} />
        <Link to="/signin" search={{ redirect }} className={buttonClass('quiet', 'w-full')}>
          {common('toSignIn')}
        </Link>
        <Button look="quiet" className="w-full" onClick={onOtherAddress}>
          {t('otherAddress')}
        </Button>
      </div>
    </div>
  );
};

/** Needs no password, and says the same for every address. */
const SendAgain = ({ email }: { readonly email: string }) => {
  const t = useTranslations('checkMail');
  const session = useSession();
  const sending = useMutation({ mutationFn: () => session.request(ResendVerificationDocument, { email }) });
  return (
    <>
      <div role="status" className={sending.isSuccess ? undefined : 'sr-only'}>
        {sending.isSuccess && (
          <Notice tone="done">
            <p>{t('sentAgain')}</p>
          </Notice>
        )}
      </div>
      {sending.isError && <RefusalNotice error={sending.error} />}
      <Button look="quiet" className="w-full" busy={sending.isPending} onClick={() => sending.mutate()}>
        {t('sendAgain')}
      </Button>
    </>
  );
};
