/** Section of the account page: the person's e-mail address, and the form that requests another one. */
import { type RefObject, Suspense, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section, SectionLoading } from '../../../components/section.tsx';
import { usePerson } from '../../../session/session-context.tsx';

const EmailForm = lazyComponent(async () => (await import('./email-form.tsx')).EmailForm);

export const EmailSection = () => {
  const t = useTranslations('emailSection');
  const { email } = usePerson();
  const [isOpen, setOpen] = useState(false);
  const [requested, setRequested] = useState<string>();
  const result = useRef<HTMLDivElement>(null);
  const open = () => {
    setRequested(undefined);
    setOpen(true);
  };
  return (
    <Section title={t('title')}>
      {requested !== undefined && <Requested email={requested} result={result} />}
      {isOpen ? (
        <Suspense fallback={<SectionLoading />}>
          <EmailForm
            onClose={() => setOpen(false)}
            onRequested={(newEmail) => {
              setOpen(false);
              setRequested(newEmail);
              // The focused button is unmounted with the form, so the result receives the focus.
              requestAnimationFrame(() => result.current?.focus());
            }}
          />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
          <p className="min-w-0 font-medium wrap-anywhere">{email}</p>
          <Button variant="secondary" onClick={open}>
            {t('change')}
          </Button>
        </div>
      )}
    </Section>
  );
};

interface RequestedProps {
  readonly email: string;
  readonly result: RefObject<HTMLDivElement | null>;
}

const Requested = ({ email, result }: RequestedProps) => {
  const t = useTranslations('emailSection');
  return (
    <div ref={result} tabIndex={-1} className="p-3 outline-none">
      <Notice tone="info">
        <p className="wrap-anywhere">{t('requested', { email })}</p>
      </Notice>
    </div>
  );
};
