/** Section of the account page: the person's name and password, each with a form that changes it. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { useHasDraft } from '../../session/drafts.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { signInMethodsQuery } from './sign-in-methods.tsx';

const NameForm = lazyComponent(async () => (await import('./name-form.tsx')).NameForm);
const PasswordForm = lazyComponent(async () => (await import('./password-form.tsx')).PasswordForm);

export const OwnAccount = () => {
  const t = useTranslations('ownAccount');
  const { name } = usePerson();
  const methods = useQuery(signInMethodsQuery(useSession()));
  const [isNameOpen, setNameOpen] = useState(useHasDraft('name'));
  const [isPasswordOpen, setPasswordOpen] = useState(false);
  return (
    <Section title={t('title')}>
      <div className="divide-y divide-line">
        {isNameOpen ? (
          <Suspense fallback={<SectionLoading />}>
            <NameForm onClose={() => setNameOpen(false)} />
          </Suspense>
        ) : (
          <Row label={t('name')} change={t('changeName')} onChange={() => setNameOpen(true)}>
            {name}
          </Row>
        )}
        {methods.data !== undefined &&
          (isPasswordOpen ? (
            <Suspense fallback={<SectionLoading />}>
              <PasswordForm hasPassword={methods.data.hasPassword} onClose={() => setPasswordOpen(false)} />
            </Suspense>
          ) : (
            <Row
              label={t('password')}
              change={t(methods.data.hasPassword ? 'changePassword' : 'setPassword')}
              onChange={() => setPasswordOpen(true)}
            >
              {methods.data.hasPassword ? '••••••••' : t('noPassword')}
            </Row>
          ))}
      </div>
    </Section>
  );
};

interface RowProps {
  readonly label: string;
  readonly change: string;
  readonly onChange: () => void;
  readonly children: ReactNode;
}

const Row = ({ label, change, onChange, children }: RowProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
    <div className="min-w-0">
      <p className="text-sm text-soft">{label}</p>
      <p className="font-medium wrap-anywhere">{children}</p>
    </div>
    <Button variant="secondary" onClick={onChange}>
      {change}
    </Button>
  </div>
);
