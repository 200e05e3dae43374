/** One active session: person, audience, device, times and addresses, and the buttons that revoke it. */
import { Link } from '@tanstack/react-router';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Instant } from '../../components/dates.tsx';
import { Detail, DetailList, useTimeAgo } from '../../components/detail-list.tsx';
import { type ActiveSession, useAudienceName, useMethodName, useSessionNames } from './active-sessions.ts';
import type { Self, SessionAction } from './session-actions.tsx';

interface SessionRowProps {
  readonly session: ActiveSession;
  readonly self: Self;
  readonly canRevoke: boolean;
  readonly onAction: (action: SessionAction) => void;
  /** Called when a link in the row sets a filter. */
  readonly onFiltered: () => void;
}

export const SessionRow = ({ session, self, canRevoke, onAction, onFiltered }: SessionRowProps) => (
  <li className="space-y-3 px-5 py-4 sm:flex sm:items-start sm:gap-6 sm:space-y-0 sm:px-6">
    <div className="min-w-0 flex-1 space-y-1.5">
      <SessionOwner session={session} self={self} onFiltered={onFiltered} />
      <Origin session={session} />
      <SessionDetails session={session} onFiltered={onFiltered} />
    </div>
    {canRevoke && <RevokeButtons session={session} onAction={onAction} />}
  </li>
);

interface FilterLinkProps {
  readonly session: ActiveSession;
  readonly onFiltered: () => void;
}

const SessionOwner = ({ session, self, onFiltered }: FilterLinkProps & { readonly self: Self }) => {
  const t = useTranslations('governance');
  const audienceName = useAudienceName();
  const label = t('onlyPerson', { email: session.userEmail });
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
      <Link
        from="/admin/super/sessions"
        to="."
        search={(filter) => ({ ...filter, user: session.userId })}
        resetScroll={false}
        aria-label={label}
        title={label}
        className="text-link min-w-0 wrap-anywhere"
        onClick={onFiltered}
      >
        {session.userEmail}
      </Link>
      {session.sessionFamilyId === self.family && <Badge variant="accent">{t('you')}</Badge>}
      <Badge>{audienceName(session.audience)}</Badge>
    </p>
  );
};

const Origin = ({ session }: { readonly session: ActiveSession }) => {
  const { device } = useSessionNames()(session);
  const methodName = useMethodName();
  const format = useFormatter();
  return (
    <p className="leading-relaxed wrap-anywhere">
      {format.list([device, methodName(session.authMethod)], { type: 'unit' })}
    </p>
  );
};

const Organization = ({ session, onFiltered }: FilterLinkProps) => {
  const t = useTranslations('governance');
  const { organizationId, organizationName } = session;
  if (organizationId === null || organizationName === null) return t('noOrganization');
  const label = t('onlyOrganization', { organization: organizationName });
  return (
    <Link
      from="/admin/super/sessions"
      to="."
      search={(filter) => ({ ...filter, organization: organizationId })}
      resetScroll={false}
      aria-label={label}
      title={label}
      className="text-link"
      onClick={onFiltered}
    >
      {organizationName}
    </Link>
  );
};

const SessionDetails = ({ session, onFiltered }: FilterLinkProps) => {
  const t = useTranslations('governance');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const { issuedAt, issueIp, expiresAt } = session;
  const from = useTimeAndAddress();
  const { date } = useSessionNames()(session);
  return (
    <DetailList>
      <Detail name={t('organization')}>
        <Organization session={session} onFiltered={onFiltered} />
      </Detail>
      <Detail name={t('issued')}>
        <Instant at={issuedAt}>{from(date, issueIp)}</Instant>
      </Detail>
      <Detail name={t('lastSeen')}>
        <LastSeen session={session} />
      </Detail>
      <Detail name={t('expires')}>
        <Instant at={expiresAt}>{format.relativeTime(new Date(expiresAt), now)}</Instant>
      </Detail>
    </DetailList>
  );
};

const LastSeen = ({ session }: { readonly session: ActiveSession }) => {
  const t = useTranslations('governance');
  const devices = useTranslations('devices');
  const timeAgo = useTimeAgo();
  const from = useTimeAndAddress();
  const { isCurrent, lastSeenAt, lastSeenIp } = session;
  // lastSeenAt is written with a delay and may not include the current request.
  if (isCurrent) return devices('inUse');
  if (lastSeenAt === null) return t('neverSeen');
  return <Instant at={lastSeenAt}>{from(timeAgo(lastSeenAt), lastSeenIp)}</Instant>;
};

/** A time with a network address. */
const useTimeAndAddress = (): ((when: string, address: string | null) => string) => {
  const t = useTranslations('governance');
  const devices = useTranslations('devices');
  return (when, address) => t('from', { when, address: address ?? devices('addressUnknown') });
};

interface RevokeButtonsProps {
  readonly session: ActiveSession;
  readonly onAction: (action: SessionAction) => void;
}

const RevokeButtons = ({ session, onAction }: RevokeButtonsProps) => {
  const t = useTranslations('governance');
  const names = useSessionNames()(session);
  return (
    <div className="flex flex-wrap gap-2 sm:w-max sm:shrink-0 sm:flex-col">
      <Button
        variant="danger-secondary"
        className="flex-auto sm:flex-none sm:whitespace-nowrap"
        aria-label={t('revokeOf', names)}
        onClick={() => onAction({ kind: 'session', target: session })}
      >
        {t('revoke')}
      </Button>
      <Button
        variant="danger-secondary"
        className="flex-auto sm:flex-none sm:whitespace-nowrap"
        aria-label={t('revokeEverywhereOf', { email: session.userEmail })}
        onClick={() => onAction({ kind: 'everywhere', target: session })}
      >
        {t('revokeEverywhere')}
      </Button>
    </div>
  );
};
