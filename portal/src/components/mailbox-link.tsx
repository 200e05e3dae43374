/** In development, where no mail leaves the machine: the way to the messages. Absent everywhere else. */
import { createContext, use } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from './button.tsx';

const MailboxContext = createContext<string | undefined>(undefined);

export const MailboxProvider = MailboxContext.Provider;

/** @param isNextStep whether the page has nothing more important to offer */
export const MailboxLink = ({ isNextStep = false }: { readonly isNextStep?: boolean }) => {
  const t = useTranslations('common');
  const mailbox = use(MailboxContext);
  if (mailbox === undefined) return null;
  return (
    <a
      href={mailbox}
      className={isNextStep ? buttonClass('primary', 'min-h-12 w-full') : buttonClass('quiet', 'w-full')}
    >
      {t('openMailbox')}
    </a>
  );
};
