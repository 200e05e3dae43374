/** The way to invite somebody. The form arrives when it is asked for: what it brings along is most of the page. */
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { Section } from '../../components/section.tsx';
import { SectionWaiting } from '../../components/section-waiting.tsx';
import { useHasDraft } from '../../session/use-draft.ts';
import type { Membership } from './member-rights.ts';

const InviteForm = lazyPart(async () => (await import('./invite-form.tsx')).InviteForm);

export const MemberInvite = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('invite');
  const [isOpen, setOpen] = useState(useHasDraft('invite'));
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t('open')}</Button>;
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Suspense fallback={<SectionWaiting />}>
        <InviteForm membership={membership} onClose={() => setOpen(false)} />
      </Suspense>
    </Section>
  );
};
