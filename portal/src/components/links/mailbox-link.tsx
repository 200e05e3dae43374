/** Link to the development mailbox. Renders nothing where mail is really sent. */
import { createContext, use } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../button.tsx';

const MailboxContext = createContext<string | undefined>(undefined);

export const MailboxProvider = MailboxContext.Provider;

/** @param isNextStep whether this link is the primary action of the page */
export const MailboxLink = ({ isNextStep = false }: { readonly isNextStep?: boolean }) => {
  const t = useTranslations('common');
  const mailbox = use(MailboxContext);
  if (mailbox === undefined) return null;
  return (
    <a
      href={mailbox}
      className={isNextStep ? buttonClass('primary', 'min-h-12 w-full') : buttonClass('secondary', 'w-full')}
    >
      {t('openMailbox')}
    </a>
  );
};
