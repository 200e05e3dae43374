/** Sign-in methods of the account: the password, and the external provider where the server has one. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../../components/notice.tsx';
import { ProviderMark, useProviderName } from '../../components/provider-link.tsx';
import { Section, SectionWaiting } from '../../components/section.tsx';
import { SignedInIcon } from '../../components/signed-in-icon.tsx';
import {
  FetchSignInWaysDocument,
  type SignInWaysFragment,
  UnlinkExternalIdentityDocument,
} from '../../generated/graphql.ts';
import { usePageRestore } from '../../page-restore.ts';
import { hasCode } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { linkedPath } from '../../url-parameters.ts';

const route = getRouteApi('/signed-in/');

export const WaysToSignIn = () => {
  const provider = useProviderName();
  return provider === undefined ? null : <Ways provider={provider} />;
};

type News = 'connected' | 'disconnected';

const Ways = ({ provider }: { readonly provider: string }) => {
  const t = useTranslations('ways');
  const session = useSession();
  const ways = useQuery(waysQuery(session));
  const [news, setNews] = useNews();
  const newsNotice = useRef<HTMLDivElement>(null);
  const isConnected = ways.data !== undefined && ways.data.externalIdentity !== null;
  // The address alone is no proof.
  const isNews = ways.data !== undefined && (news === 'connected') === isConnected;
  const isBack = isNews && news === 'connected';
  useEffect(() => {
    // Who comes back is at the top of the page, and the news may be below the fold.
    if (isBack) newsNotice.current?.focus();
  }, [isBack]);
  return (
    <Section title={t('title')} lead={t('lead')}>
      <div ref={newsNotice} role="status" tabIndex={-1} className="outline-none">
        {news !== undefined && isNews && (
          <div className="p-3">
            <Notice tone="done">
              <p>{t(news, { provider })}</p>
            </Notice>
          </div>
        )}
      </div>
      {ways.isError && (
        <div className="p-3">
          <RetryNotice error={ways.error} busy={ways.isFetching} onRetry={() => void ways.refetch()} />
        </div>
      )}
      {ways.isPending && <SectionWaiting />}
      {ways.data !== undefined && (
        <ul className="divide-y divide-line">
          <Way mark={<SignedInIcon name="lock" />} name={t('password')}>
            {t(ways.data.hasPassword ? 'passwordSet' : 'passwordNotSet')}
          </Way>
          {isConnected ? (
            <Connected
              provider={provider}
              ways={ways.data}
              newsNotice={newsNotice}
              onDisconnected={() => setNews('disconnected')}
            />
          ) : (
            <NotConnected provider={provider} />
          )}
        </ul>
      )}
    </Section>
  );
};

/** Coming back from the provider is news once: it leaves the address, and a reload does not repeat it. */
const useNews = () => {
  const { external } = route.useSearch();
  const navigate = route.useNavigate();
  const state = useState<News | undefined>(external === 'linked' ? 'connected' : undefined);
  useEffect(() => {
    if (external !== undefined) void navigate({ search: {}, replace: true });
  }, [external, navigate]);
  return state;
};

interface WayProps {
  readonly mark: ReactNode;
  readonly name: string;
  readonly children: ReactNode;
  readonly deed?: ReactNode;
}

const Way = ({ mark, name, children, deed }: WayProps) => (
  <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-3 px-5 py-4 sm:flex sm:items-center sm:px-6">
    <span className="grid size-10 shrink-0 place-items-center rounded-full bg-canvas text-soft">{mark}</span>
    <div className="min-w-0 flex-1 space-y-1">
      <p className="font-semibold break-words">{name}</p>
      <div className="space-y-1 text-sm text-soft wrap-anywhere">{children}</div>
    </div>
    {deed !== undefined && <div className="col-start-2 justify-self-start sm:justify-self-auto">{deed}</div>}
  </li>
);

const NotConnected = ({ provider }: { readonly provider: string }) => {
  const t = useTranslations('ways');
  const session = useSession();
  const leaving = useMutation({ mutationFn: () => leaveToConnect(session) });
  usePageRestore(leaving.reset);
  return (
    <>
      <Way
        mark={<ProviderMark name={provider} />}
        name={provider}
        deed={
          <Button
            look="quiet"
            busy={leaving.isPending || leaving.isSuccess}
            aria-label={t('connectProvider', { provider })}
            onClick={() => leaving.mutate()}
          >
            {t('connect')}
          </Button>
        }
      >
        {t('notConnected')}
      </Way>
      {leaving.isError && (
        <li className="p-3">
          <RefusalNotice error={leaving.error} />
        </li>
      )}
    </>
  );
};

interface ConnectedProps {
  readonly provider: string;
  readonly ways: SignInWays;
  /** Takes the focus over from the button that goes. */
  readonly newsNotice: RefObject<HTMLElement | null>;
  readonly onDisconnected: () => void;
}

const Connected = ({ provider, ways, newsNotice, onDisconnected }: ConnectedProps) => {
  const t = useTranslations('ways');
  const reasonId = useId();
  const [isAsking, setAsking] = useState(false);
  const isLast = !ways.hasPassword;
  return (
    <Way
      mark={<ProviderMark name={provider} />}
      name={provider}
      deed={
        <>
          <Button
            look="danger-quiet"
            disabled={isLast}
            aria-label={t('disconnectProvider', { provider })}
            aria-describedby={isLast ? reasonId : undefined}
            onClick={() => setAsking(true)}
          >
            {t('disconnect')}
          </Button>
          <Disconnecting
            open={isAsking}
            provider={provider}
            newsNotice={newsNotice}
            onDisconnected={onDisconnected}
            onClose={() => setAsking(false)}
          />
        </>
      }
    >
      <Since identity={ways.externalIdentity} />
      {isLast && <p id={reasonId}>{t('lastWayIn')}</p>}
    </Way>
  );
};

const Since = ({ identity }: { readonly identity: SignInWays['externalIdentity'] }) => {
  const t = useTranslations('ways');
  if (identity === null) return null;
  const date = formatDate(identity.linkedAt, { dateStyle: 'medium' });
  return (
    <p>
      <Instant at={identity.linkedAt}>
        {identity.email === null ? t('connectedSince', { date }) : t('connectedAs', { email: identity.email, date })}
      </Instant>
    </p>
  );
};

interface DisconnectingProps extends Pick<ConnectedProps, 'provider' | 'newsNotice' | 'onDisconnected'> {
  readonly open: boolean;
  readonly onClose: () => void;
}

const Disconnecting = ({ open, provider, newsNotice, onDisconnected, onClose }: DisconnectingProps) => {
  const t = useTranslations('ways');
  const session = useSession();
  const queries = useQueryClient();
  const unlinking = useMutation({
    mutationFn: () => session.request(UnlinkExternalIdentityDocument, {}),
    onSuccess: ({ unlinkExternalIdentity }) => {
      onDisconnected();
      onClose();
      queries.setQueryData(waysQuery(session).queryKey, unlinkExternalIdentity);
    },
  });
  const close = () => {
    unlinking.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('confirm.title', { provider })}
      text={t('confirm.text')}
      submit={t('confirm.submit')}
      busy={unlinking.isPending}
      problem={unlinking.isError && <NotDisconnected error={unlinking.error} />}
      focusAfter={newsNotice}
      onConfirm={() => unlinking.mutate()}
      onClose={close}
    />
  );
};

const NotDisconnected = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('ways');
  if (!hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="caution">
      <p>{t('lastWayIn')}</p>
    </Notice>
  );
};

type SignInWays = SignInWaysFragment;

const fetchWays = async (session: Session): Promise<SignInWays> =>
  (await session.request(FetchSignInWaysDocument, {})).me;

const waysQuery = (session: Session) => queryOptions({ queryKey: ['sign-in-ways'], queryFn: () => fetchWays(session) });

/**
 * Leaves for the provider. A page load cannot renew an access credential that has run out, so a request goes before it
 * that can.
 */
const leaveToConnect = async (session: Session): Promise<void> => {
  await fetchWays(session);
  window.location.assign(`/auth/google/prepare-link?redirect=${encodeURIComponent(linkedPath)}`);
};
