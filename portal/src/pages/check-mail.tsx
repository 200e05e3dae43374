/** After sign-up: the message is on its way. Says nothing about whether the address was known. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../components/button.tsx';
import { MailboxLink } from '../components/mailbox-link.tsx';
import { PageHeading } from '../components/page-heading.tsx';

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
