/** The last sign-ins of one person, on their page. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { QueryState } from '../../../components/query-state.tsx';
import { Section } from '../../../components/section.tsx';
import { EmptyList } from '../../../lists/empty-list.tsx';
import { usePagedList } from '../../../lists/paged-list.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useConsolePermission } from '../permissions.ts';
import { ConsoleQueryProblem } from '../scope-gate.tsx';
import { signInsQuery } from '../sign-ins/sign-ins.ts';
import { SignInsTable } from '../sign-ins/sign-ins-table.tsx';

const shown = 5;

interface SignInsOfPersonProps {
  readonly userId: string;
}

export const SignInsOfPerson = ({ userId }: SignInsOfPersonProps) =>
  useConsolePermission('sessions')?.granted === true && <RecentSignIns userId={userId} />;

const RecentSignIns = ({ userId }: SignInsOfPersonProps) => {
  const t = useTranslations('consoleSignIns');
  const { query, isLoaded, rows } = usePagedList(signInsQuery(useSession(), { user: userId }, shown), 'id');
  return (
    <Section
      title={t('ofPerson')}
      footer={
        <Link to="/admin/super/sign-ins" search={{ user: userId }} className="text-link">
          {t('all')}
        </Link>
      }
    >
      <QueryState query={query} problem={ConsoleQueryProblem} />
      {isLoaded && rows.length === 0 && <EmptyList text={t('noneOfPerson')} />}
      {rows.length > 0 && <SignInsTable rows={rows} hasPerson={false} />}
    </Section>
  );
};
