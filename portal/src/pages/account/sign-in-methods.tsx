/** Sign-in methods of the account: the password, and the external provider where the server has one. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountRefusal } from '../../components/account-refusal.tsx';
import { Button } from '../../components/button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { ProviderMark, useProviderName } from '../../components/links/provider-link.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { ResultNotice } from '../../components/result-notice.tsx';
import { Section } from '../../components/section.tsx';
import { SignedInIcon } from '../../components/signed-in-icon.tsx';
import {
  FetchSignInMethodsDocument,
  type SignInMethodsFragment,
  UnlinkExternalIdentityDocument,
} from '../../generated/graphql.ts';
import { usePageRestore } from '../../page-restore.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { linkedPath } from '../../url-parameters.ts';

const route = getRouteApi('/signed-in/account');

export const SignInMethods = () => {
  const provider = useProviderName();
  return provider === undefined ? null : <SignInMethodList provider={provider} />;
};

type LinkResult = 'connected' | 'disconnected';

const SignInMethodList = ({ provider }: { readonly provider: string }) => {
  const t = useTranslations('signInMethods');
  const session = useSession();
  const methods = useQuery(signInMethodsQuery(session));
  const [linkResult, setLinkResult] = useLinkResult();
  const resultNotice = useRef<HTMLDivElement>(null);
  const isConnected = methods.data !== undefined && methods.data.externalIdentity !== null;
  // The URL alone is no proof: the fetched methods must agree.
  const isConfirmed = methods.data !== undefined && (linkResult === 'connected') === isConnected;
  const hasReturned = isConfirmed && linkResult === 'connected';
  useEffect(() => {
    // After the redirect the page is at its top, and the result may be below the fold.
    if (hasReturned) resultNotice.current?.focus();
  }, [hasReturned]);
  return (
    <Section title={t('title')} lead={t('lead')}>
      <ResultNotice place={resultNotice}>
        {linkResult !== undefined && isConfirmed ? t(linkResult, { provider }) : undefined}
      </ResultNotice>
      <QueryState query={methods} />
      {methods.data !== undefined && (
        <ul className="divide-y divide-line">
          <SignInMethod mark={<SignedInIcon name="lock" />} name={t('password')}>
            {t(methods.data.hasPassword ? 'passwordSet' : 'passwordNotSet')}
          </SignInMethod>
          {isConnected ? (
            <Connected
              provider={provider}
              methods={methods.data}
              resultNotice={resultNotice}
              onDisconnected={() => setLinkResult('disconnected')}
            />
          ) : (
            <NotConnected provider={provider} />
          )}
        </ul>
      )}
    </Section>
  );
};

/** The result of linking, read from the URL once: it is removed there, so that a reload does not repeat it. */
const useLinkResult = () => {
  const { external } = route.useSearch();
  const navigate = route.useNavigate();
  const state = useState<LinkResult | undefined>(external === 'linked' ? 'connected' : undefined);
  useEffect(() => {
    if (external !== undefined) void navigate({ search: {}, replace: true });
  }, [external, navigate]);
  return state;
};

interface SignInMethodProps {
  readonly mark: ReactNode;
  readonly name: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

const SignInMethod = ({ mark, name, children, action }: SignInMethodProps) => (
  <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-3 px-5 py-4 sm:flex sm:items-center sm:px-6">
    <span className="grid size-10 shrink-0 place-items-center rounded-full bg-canvas text-soft">{mark}</span>
    <div className="min-w-0 flex-1 space-y-1">
      <p className="font-semibold wrap-anywhere">{name}</p>
      <div className="space-y-1 text-sm text-soft wrap-anywhere">{children}</div>
    </div>
    {action !== undefined && <div className="col-start-2 justify-self-start sm:justify-self-auto">{action}</div>}
  </li>
);

const NotConnected = ({ provider }: { readonly provider: string }) => {
  const t = useTranslations('signInMethods');
  const session = useSession();
  const redirecting = useMutation({ mutationFn: () => redirectToProvider(session) });
  usePageRestore(redirecting.reset);
  return (
    <>
      <SignInMethod
        mark={<ProviderMark name={provider} />}
        name={provider}
        action={
          <Button
            variant="secondary"
            busy={redirecting.isPending || redirecting.isSuccess}
            aria-label={t('connectProvider', { provider })}
            onClick={() => redirecting.mutate()}
          >
            {t('connect')}
          </Button>
        }
      >
        {t('notConnected')}
      </SignInMethod>
      {redirecting.isError && (
        <li className="p-3">
          <RefusalNotice error={redirecting.error} />
        </li>
      )}
    </>
  );
};

interface ConnectedProps {
  readonly provider: string;
  readonly methods: SignInMethodsData;
  /** Receives the focus when the focused button is unmounted. */
  readonly resultNotice: RefObject<HTMLElement | null>;
  readonly onDisconnected: () => void;
}

const Connected = ({ provider, methods, resultNotice, onDisconnected }: ConnectedProps) => {
  const t = useTranslations('signInMethods');
  const reasonId = useId();
  const [isConfirming, setConfirming] = useState(false);
  const isOnlyMethod = !methods.hasPassword && methods.passkeys === 0;
  return (
    <SignInMethod
      mark={<ProviderMark name={provider} />}
      name={provider}
      action={
        <>
          <Button
            variant="danger-secondary"
            disabled={isOnlyMethod}
            aria-label={t('disconnectProvider', { provider })}
            aria-describedby={isOnlyMethod ? reasonId : undefined}
            onClick={() => setConfirming(true)}
          >
            {t('disconnect')}
          </Button>
          <DisconnectDialog
            open={isConfirming}
            provider={provider}
            resultNotice={resultNotice}
            onDisconnected={onDisconnected}
            onClose={() => setConfirming(false)}
          />
        </>
      }
    >
      <ConnectedSince identity={methods.externalIdentity} />
      {isOnlyMethod && <p id={reasonId}>{t('onlyMethod')}</p>}
    </SignInMethod>
  );
};

const ConnectedSince = ({ identity }: { readonly identity: SignInMethodsData['externalIdentity'] }) => {
  const t = useTranslations('signInMethods');
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

interface DisconnectDialogProps extends Pick<ConnectedProps, 'provider' | 'resultNotice' | 'onDisconnected'> {
  readonly open: boolean;
  readonly onClose: () => void;
}

const DisconnectDialog = ({ open, provider, resultNotice, onDisconnected, onClose }: DisconnectDialogProps) => {
  const t = useTranslations('signInMethods');
  const session = useSession();
  const queries = useQueryClient();
  const unlink = useMutation({
    mutationFn: () => session.request(UnlinkExternalIdentityDocument, {}),
    onSuccess: ({ unlinkExternalIdentity }) => {
      onDisconnected();
      onClose();
      queries.setQueryData(
        signInMethodsQuery(session).queryKey,
        (known) => known && { ...known, ...unlinkExternalIdentity },
      );
    },
  });
  const close = () => {
    unlink.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('confirm.title', { provider })}
      text={t('confirm.text')}
      submit={t('confirm.submit')}
      busy={unlink.isPending}
      problem={unlink.isError && <AccountRefusal error={unlink.error} forbidden={t('onlyMethod')} />}
      focusAfter={resultNotice}
      onConfirm={() => unlink.mutate()}
      onClose={close}
    />
  );
};

type SignInMethodsData = SignInMethodsFragment & { readonly passkeys: number };

const fetchSignInMethods = async (session: Session): Promise<SignInMethodsData> => {
  const { me, mySecondFactor } = await session.request(FetchSignInMethodsDocument, {});
  return { ...me, ...mySecondFactor };
};

export const signInMethodsQuery = (session: Session) =>
  queryOptions({ queryKey: ['sign-in-methods'], queryFn: () => fetchSignInMethods(session) });

/** Opens the provider. A page load cannot refresh an expired access credential, so a request that can is sent first. */
const redirectToProvider = async (session: Session): Promise<void> => {
  await fetchSignInMethods(session);
  window.location.assign(`/auth/google/prepare-link?redirect=${encodeURIComponent(linkedPath)}`);
};
