/** Super admins who may use Platform MCP, or have used it. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Detail, DetailList, RelativeTime } from '../../components/detail-list.tsx';
import { FilterBar } from '../../lists/filters.tsx';
import { usePagedList } from '../../lists/paged-list.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { useConsolePermission } from '../console/permissions.ts';
import { ScopeGate } from '../console/scope-gate.tsx';
import { McpList, McpSearch } from './list.tsx';
import { type McpUser, usersQuery } from './queries.ts';
import { ViewLink } from './rows.tsx';
import { useMcpView } from './view.ts';

export const McpUsers = () => (
  <ScopeGate requires="access">
    <Users />
  </ScopeGate>
);

const Users = () => {
  const t = useTranslations('mcp.users');
  const list = usePagedList(usersQuery(useSession(), useMcpView().view), 'userId');
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      total={(total) => t('total', { total })}
      none={t('none')}
      filters={<FilterBar fields={<McpSearch label={t('search')} />} />}
    >
      {(users, isBusy) => (
        <ul aria-busy={isBusy} className="divide-y divide-line">
          {users.map((user) => (
            <UserRow key={user.userId} user={user} />
          ))}
        </ul>
      )}
    </McpList>
  );
};

const UserRow = ({ user }: { readonly user: McpUser }) => {
  const t = useTranslations('mcp.users');
  const person = usePerson();
  const canSeeCalls = useConsolePermission('audit')?.granted === true;
  const { userId, email, lastUsedAt } = user;
  return (
    <li className="space-y-2 px-5 py-4 sm:px-6">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <span className="min-w-0 wrap-anywhere">
          <bdi>{user.name}</bdi>
        </span>
        <span className="min-w-0 font-normal text-soft wrap-anywhere">{email}</span>
        {userId === person.id && <Badge variant="accent">{t('you')}</Badge>}
      </p>
      <DetailList>
        <Detail name={t('credentials')}>
          <Sessions user={user} />
        </Detail>
        <Detail name={t('lastUsed')}>{lastUsedAt === null ? t('never') : <RelativeTime at={lastUsedAt} />}</Detail>
        <Detail name={t('scopes')}>
          <Scopes scopes={user.scopes} />
        </Detail>
      </DetailList>
      {canSeeCalls && (
        <p className="text-sm">
          <ViewLink view={{ section: 'audits', user: userId }}>{t('calls', { email })}</ViewLink>
        </p>
      )}
    </li>
  );
};

/** Number of active MCP tokens, linked to the person's sessions. */
const Sessions = ({ user: { userId, email, activeCredentials: count } }: { readonly user: McpUser }) => {
  const t = useTranslations('mcp.users');
  if (count === 0) return t('noCredentials');
  return (
    <Link
      to="/admin/super/sessions"
      search={{ user: userId, audience: 'mcp' }}
      aria-label={t('sessionsOf', { count, email })}
      className="text-link"
    >
      {t('sessions', { count })}
    </Link>
  );
};

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const t = useTranslations('mcp.users');
  if (scopes.length === 0) return t('noScopes');
  return (
    <ul className="flex flex-wrap gap-1.5">
      {scopes.map((scope) => (
        <li key={scope} className="rounded-md bg-canvas px-1.5 py-0.5 font-mono text-xs">
          {scope}
        </li>
      ))}
    </ul>
  );
};
