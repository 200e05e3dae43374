/**
 * An open invitation for a person who has an account: sign in, accept, or switch the account; and the attempt itself.
 */
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { usePlainRole, useRoleTitle } from '../../components/application.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { ProviderLink } from '../../components/links/provider-link.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { AcceptInvitationDocument } from '../../generated/graphql.ts';
import { followRedirect } from '../../redirects/redirect-after-sign-in.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import type { Invitation } from './invitation-query.ts';

interface OpenProps {
  readonly invitation: Invitation;
}

/** The organization, the role, and the expiry of the invitation. */
export const InvitationDetails = ({ invitation }: OpenProps) => {
  const t = useTranslations('invitation');
  const { organizationName, role, expiresAt } = invitation;
  const as = usePlainRole()(role) ?? 'other';
  const title = useRoleTitle()(role);
  return (
    <div className="space-y-3">
      <PageHeading title={t('join', { organization: organizationName })} />
      <p className="leading-relaxed text-soft">
        {t(`as.${as}`, { role: title })}{' '}
        {expiresAt !== null && (
          <Instant at={expiresAt}>
            {t('openUntil', { date: formatDate(expiresAt, { dateStyle: 'long', timeStyle: 'short' }) })}
          </Instant>
        )}
      </p>
    </div>
  );
};

export const SignInToAccept = ({ invitation }: OpenProps) => {
  const t = useTranslations('invitation.signIn');
  const redirect = useLocation({ select: ({ pathname }) => pathname });
  return (
    <div className="settle space-y-6">
      <InvitationDetails invitation={invitation} />
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      <div className="space-y-3">
        <Link to="/signin" search={{ redirect }} className={buttonClass('primary', 'min-h-12 w-full')}>
          {t('submit')}
        </Link>
        <ProviderLink redirect={redirect} />
      </div>
    </div>
  );
};

interface AcceptProps extends OpenProps {
  readonly token: string;
  readonly acceptance: Acceptance;
}

export const AcceptInvitation = ({ invitation, token, acceptance }: AcceptProps) => {
  const t = useTranslations('invitation.accept');
  const session = useSession();
  const email = useSignedInEmail();
  const accept = async () => {
    await session.request(AcceptInvitationDocument, { token });
    await session.refetchEverywhere();
  };
  return (
    <div className="settle space-y-6">
      <InvitationDetails invitation={invitation} />
      <p className="leading-relaxed wrap-anywhere text-soft">
        {t.rich('lead', { organization: invitation.organizationName, email, who: strong })}
      </p>
      {acceptance.isError && <AcceptanceProblem error={acceptance.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" busy={acceptance.isPending} onClick={() => acceptance.mutate(accept)}>
          {t('submit')}
        </Button>
        <Link to="/" className={buttonClass('secondary', 'w-full')}>
          {t('later')}
        </Link>
      </div>
    </div>
  );
};

const useSignedInEmail = (): string => {
  const state = useSessionState();
  return state.status === 'signedIn' ? state.user.email : '';
};

const strong = (text: ReactNode) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>;

/** @param onSignedOut resets the attempt that was refused for this account */
export const OtherAccount = ({ invitation, onSignedOut }: OpenProps & { readonly onSignedOut: () => void }) => {
  const t = useTranslations('invitation.otherAccount');
  const session = useSession();
  const email = useSignedInEmail();
  const signOut = useMutation({ mutationFn: session.signOut, onSuccess: onSignedOut });
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <div className="space-y-3 leading-relaxed wrap-anywhere text-soft">
        <p>{t.rich('lead', { organization: invitation.organizationName, email, who: strong })}</p>
        <p>{t('advice')}</p>
      </div>
      {signOut.isError && <RefusalNotice error={signOut.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t('submit')}
        </Button>
        <Link to="/" className={buttonClass('secondary', 'w-full')}>
          {t('stay')}
        </Link>
      </div>
    </div>
  );
};

export type Acceptance = UseMutationResult<unknown, Error, () => Promise<unknown>>;

/** Refusals that mean that the page is out of date: invitation or account have changed. */
const isStale = (error: unknown): boolean =>
  hasCode(error, 'INVITATION_NOT_OPEN') || hasCode(error, 'ACCOUNT_MISMATCH') || hasCode(error, 'ALREADY_SIGNED_IN');

/**
 * @param refetch fetches the invitation again
 * @param redirect where to lead once the invitation is accepted
 */
export const useAcceptance = (refetch: () => Promise<unknown>, redirect: string | undefined): Acceptance => {
  const router = useRouter();
  const session = useSession();
  return useMutation({
    mutationFn: (join: () => Promise<unknown>) => join(),
    // The button stays busy until the page is up to date.
    onError: async (error) => {
      if (!isStale(error)) return;
      await session.refetch();
      await refetch();
    },
    onSuccess: () => followRedirect(router, redirect),
  });
};

export const AcceptanceProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('invitation');
  if (!isStale(error)) {
    return <RefusalNotice error={error}>{hasCode(error, 'SEATS_EXHAUSTED') && <p>{t('seats')}</p>}</RefusalNotice>;
  }
  return (
    <Notice tone="warning">
      <p>{t('changed')}</p>
    </Notice>
  );
};
