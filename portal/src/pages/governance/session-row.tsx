/** One active session: person, audience, device, times and addresses, and the buttons that revoke it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Instant, sinceWhen } from '../../components/dates.tsx';
import { type ActiveSession, useAudienceName, useMethodName, useSessionNames } from './active-sessions.ts';
import type { Deed, Self } from './session-actions.tsx';

interface GovernanceRowProps {
  readonly session: ActiveSession;
  readonly self: Self;
  readonly mayRevoke: boolean;
  readonly onDeed: (deed: Deed) => void;
  /** The list has been narrowed to the row's person or organization. */
  readonly onNarrowed: () => void;
}

export const GovernanceRow = ({ session, self, mayRevoke, onDeed, onNarrowed }: GovernanceRowProps) => (
  <li className="space-y-3 px-5 py-4 sm:flex sm:items-start sm:gap-6 sm:space-y-0 sm:px-6">
    <div className="min-w-0 flex-1 space-y-1.5">
      <Who session={session} self={self} onNarrowed={onNarrowed} />
      <Origin session={session} />
      <Facts session={session} onNarrowed={onNarrowed} />
    </div>
    {mayRevoke && <Actions session={session} onDeed={onDeed} />}
  </li>
);

interface Narrowing {
  readonly session: ActiveSession;
  readonly onNarrowed: () => void;
}

const Who = ({ session, self, onNarrowed }: Narrowing & { readonly self: Self }) => {
  const t = useTranslations('governance');
  const audienceName = useAudienceName();
  const only = t('onlyPerson', { email: session.userEmail });
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
      <Link
        from="/admin/super/sessions"
        to="."
        search={(filter) => ({ ...filter, user: session.userId })}
        resetScroll={false}
        aria-label={only}
        title={only}
        className="text-link min-w-0 wrap-anywhere"
        onClick={onNarrowed}
      >
        {session.userEmail}
      </Link>
      {session.sessionFamilyId === self.family && <Badge look="accent">{t('you')}</Badge>}
      <Badge>{audienceName(session.audience)}</Badge>
    </p>
  );
};

const Origin = ({ session }: { readonly session: ActiveSession }) => {
  const { device } = useSessionNames()(session);
  const methodName = useMethodName();
  return (
    <p className="leading-relaxed wrap-anywhere">
      {device}, {methodName(session.authMethod)}
    </p>
  );
};

const Organization = ({ session, onNarrowed }: Narrowing) => {
  const t = useTranslations('governance');
  const { organizationId, organizationName } = session;
  if (organizationId === null || organizationName === null) return t('noOrganization');
  const only = t('onlyOrganization', { organization: organizationName });
  return (
    <Link
      from="/admin/super/sessions"
      to="."
      search={(filter) => ({ ...filter, organization: organizationId })}
      resetScroll={false}
      aria-label={only}
      title={only}
      className="text-link"
      onClick={onNarrowed}
    >
      {organizationName}
    </Link>
  );
};

const Facts = ({ session, onNarrowed }: Narrowing) => {
  const t = useTranslations('governance');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const { issuedAt, issueIp, expiresAt } = session;
  const from = useFrom();
  const { date } = useSessionNames()(session);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm text-soft tabular-nums">
      <Fact name={t('organization')}>
        <Organization session={session} onNarrowed={onNarrowed} />
      </Fact>
      <Fact name={t('issued')}>
        <Instant at={issuedAt}>{from(date, issueIp)}</Instant>
      </Fact>
      <Fact name={t('lastSeen')}>
        <LastSeen session={session} now={now} />
      </Fact>
      <Fact name={t('expires')}>
        <Instant at={expiresAt}>{format.relativeTime(new Date(expiresAt), now)}</Instant>
      </Fact>
    </dl>
  );
};

const LastSeen = ({ session, now }: { readonly session: ActiveSession; readonly now: Date }) => {
  const t = useTranslations('governance');
  const devices = useTranslations('devices');
  const format = useFormatter();
  const from = useFrom();
  const { isCurrent, lastSeenAt, lastSeenIp } = session;
  // Sightings are written a little later, so the server may not know yet of the one that is under way.
  if (isCurrent) return devices('inUse');
  if (lastSeenAt === null) return t('neverSeen');
  const when = sinceWhen(new Date(lastSeenAt), now, format, devices('justNow'));
  return <Instant at={lastSeenAt}>{from(when, lastSeenIp)}</Instant>;
};

/** When something was, and from which network address. */
const useFrom = (): ((when: string, address: string | null) => string) => {
  const t = useTranslations('governance');
  const devices = useTranslations('devices');
  return (when, address) => t('from', { when, address: address ?? devices('addressUnknown') });
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
);

interface ActionsProps {
  readonly session: ActiveSession;
  readonly onDeed: (deed: Deed) => void;
}

const Actions = ({ session, onDeed }: ActionsProps) => {
  const t = useTranslations('governance');
  const words = useSessionNames()(session);
  return (
    <div className="flex flex-wrap gap-2 sm:w-max sm:shrink-0 sm:flex-col">
      <Button
        look="danger-quiet"
        className="flex-auto whitespace-nowrap sm:flex-none"
        aria-label={t('revokeOf', words)}
        onClick={() => onDeed({ kind: 'session', target: session })}
      >
        {t('revoke')}
      </Button>
      <Button
        look="danger-quiet"
        className="flex-auto whitespace-nowrap sm:flex-none"
        aria-label={t('revokeEverywhereOf', { email: session.userEmail })}
        onClick={() => onDeed({ kind: 'everywhere', target: session })}
      >
        {t('revokeEverywhere')}
      </Button>
    </div>
  );
};
