/** A table of attempts to sign in: when, who, how it ended, and from where. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { useDeviceLabel } from '../../../components/device-label.ts';
import { type Column, DataTable } from '../../../lists/data-table.tsx';
import { success, useMethodLabel, useReasonLabel } from '../../account/sign-ins/labels.ts';
import type { SignInRow } from './sign-ins.ts';

interface SignInsTableProps {
  readonly rows: readonly SignInRow[];
  readonly busy?: boolean;
  /** Left out on the page of one person. */
  readonly hasPerson: boolean;
}

export const SignInsTable = ({ rows, busy = false, hasPerson }: SignInsTableProps) => {
  const t = useTranslations('consoleSignIns');
  const when: Column<SignInRow> = {
    key: 'when',
    heading: t('columns.when'),
    cell: ({ at }) => (
      <span className="text-soft tabular-nums">
        <Instant at={at}>{formatDate(at, { dateStyle: 'medium', timeStyle: 'medium' })}</Instant>
      </span>
    ),
  };
  const person: Column<SignInRow> = {
    key: 'person',
    heading: t('columns.person'),
    cell: (row) => <Person row={row} />,
  };
  return (
    <DataTable
      label={t('title')}
      rows={rows}
      keyOf={({ id }) => id}
      busy={busy}
      columns={[
        when,
        ...(hasPerson ? [person] : []),
        { key: 'outcome', heading: t('columns.outcome'), cell: (row) => <Outcome row={row} /> },
        { key: 'from', heading: t('columns.from'), cell: (row) => <Origin row={row} /> },
      ]}
    />
  );
};

const Person = ({ row: { userId, userEmail } }: { readonly row: SignInRow }) => {
  const t = useTranslations('consoleSignIns');
  if (userId === null || userEmail === null) return <span className="text-soft">{t('unknownPerson')}</span>;
  return (
    <Link to="/admin/super/people/$userId" params={{ userId }} className="text-link wrap-anywhere">
      {userEmail}
    </Link>
  );
};

const Outcome = ({ row: { outcome, method } }: { readonly row: SignInRow }) => {
  const t = useTranslations('recentSignIns');
  const methodOf = useMethodLabel();
  const reasonOf = useReasonLabel();
  return (
    <>
      <Badge variant={outcome === success ? 'accent' : 'caution'}>
        {outcome === success ? t('succeeded') : t('refused')}
      </Badge>
      <span className="block text-sm text-soft">{methodOf(method)}</span>
      {outcome !== success && <span className="block text-sm text-soft">{reasonOf(outcome)}</span>}
    </>
  );
};

const Origin = ({ row: { ip, userAgent } }: { readonly row: SignInRow }) => {
  const t = useTranslations('recentSignIns');
  const device = useDeviceLabel()({ clientName: null, issueUserAgent: userAgent });
  return (
    <>
      <bdi dir="ltr" className="tabular-nums">
        {ip ?? t('addressUnknown')}
      </bdi>
      <span className="block text-sm text-soft" title={userAgent ?? undefined}>
        {device}
      </span>
    </>
  );
};
