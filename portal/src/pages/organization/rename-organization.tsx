/** The name of the active organization, and the way to another one. The form arrives when it is asked for. */
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { Section } from '../../components/section.tsx';
import { SectionWaiting } from '../../components/section-waiting.tsx';
import { useHasDraft } from '../../session/use-draft.ts';
import type { Membership } from '../members/member-rights.ts';

const RenameForm = lazyPart(async () => (await import('./rename-form.tsx')).RenameForm);

export const RenameOrganization = ({ organization }: Pick<Membership, 'organization'>) => {
  const t = useTranslations('renameOrganization');
  const [isOpen, setOpen] = useState(useHasDraft('rename organization'));
  return (
    <Section title={t('title')} lead={t('lead')}>
      {isOpen ? (
        <Suspense fallback={<SectionWaiting />}>
          <RenameForm organization={organization} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
          <p className="min-w-0 font-medium wrap-anywhere">{organization.name}</p>
          <Button look="quiet" onClick={() => setOpen(true)}>
            {t('open')}
          </Button>
        </div>
      )}
    </Section>
  );
};
