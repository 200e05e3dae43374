/** A page of super admins in a session that lacks the second factor which they need. */
import { Suspense } from 'react';
import { lazyComponent } from '../components/lazy-component.tsx';
import { PageHeading } from '../components/page.tsx';
import { SectionLoading } from '../components/section.tsx';

const SecondFactorNeeded = lazyComponent(async () => (await import('./second-factor-needed.tsx')).SecondFactorNeeded);

export const SuperAdminFactor = ({ title }: { readonly title: string }) => (
  <>
    <PageHeading title={title} />
    <Suspense fallback={<SectionLoading />}>
      <SecondFactorNeeded />
    </Suspense>
  </>
);
