/** Form that invites a person to the active organization by e-mail address and role. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ApplicationInfo, assignableRoles } from '../../access/roles.ts';
import { formatDate, Instant } from '../../components/dates.tsx';
import { MailboxLink } from '../../components/links/mailbox-link.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { EmailField, FormButtons } from '../../forms/field.tsx';
import { useForm } from '../../forms/form.ts';
import { emailRule } from '../../forms/form-rules.ts';
import { InviteMemberDocument, type InviteMemberInput } from '../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../session/drafts.ts';
import { refreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allMembers, type Member, type Membership } from './members.ts';
import { RoleField } from './role-field.tsx';

interface InviteFormProps {
  readonly membership: Membership;
  readonly application: ApplicationInfo;
  readonly onClose: () => void;
}

const draftFields = ['email', 'role'] as const;

export const InviteForm = ({ membership, application, onClose }: InviteFormProps) => {
  const t = useTranslations('invite');
  const fields = useTranslations('fields');
  const draft = useRestoredDraft('invite');
  const roles = assignableRoles(membership.role, application.roles);
  const [role, setRole] = useState(roles.find((known) => known === draft?.['role']) ?? roles[0] ?? 'MEMBER');
  const form = useForm({ email: emailRule(fields, fields('inviteeEmailMissing')) }, { email: draft?.['email'] ?? '' });
  const { typed, focus } = form;
  const valueOfDraft = useCallback((name: 'email' | 'role') => (name === 'role' ? role : typed(name)), [role, typed]);
  useSavedDraft('invite', draftFields, valueOfDraft);
  useEffect(() => focus('email'), [focus]);
  const invite = useInviteMember();
  const send = form.onSubmit((read) =>
    invite.mutate(
      { email: read('email'), role },
      {
        onSuccess: () => {
          form.clear();
          focus('email');
        },
        onError: form.showRefusal,
      },
    ),
  );
  return (
    <form noValidate className="space-y-5 px-5 py-5 sm:px-6" onSubmit={send}>
      <div role="status" className="empty:mb-0">
        {invite.isSuccess && <InvitationSent member={invite.data.inviteMember} />}
      </div>
      {invite.isError && !form.hasProblem && <InviteProblem error={invite.error} membership={membership} />}
      <EmailField {...form.field('email')} label={fields('email')} autoComplete="off" />
      <RoleField roles={roles} application={application} chosen={role} onChoose={setRole} />
      <FormButtons submit={t('submit')} busy={invite.isPending} onClose={onClose} />
    </form>
  );
};

const useInviteMember = () => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: InviteMemberInput) => session.request(InviteMemberDocument, { input }),
    onSuccess: () => void queries.invalidateQueries(allMembers),
    onError: (error) => refreshOnForbidden(session, error),
  });
};

/** Without a free seat it says who can do what about it. */
const InviteProblem = ({ error, membership }: { readonly error: unknown; readonly membership: Membership }) => {
  const t = useTranslations('invite.seats');
  if (!hasCode(error, 'SEATS_EXHAUSTED')) return <RefusalNotice error={error} />;
  return (
    <RefusalNotice error={error}>
      {membership.role === 'OWNER' ? (
        <Link to="/plan" className="text-link">
          {t('owner')}
        </Link>
      ) : (
        <p>{t('other', { organization: membership.organization.name })}</p>
      )}
    </RefusalNotice>
  );
};

const InvitationSent = ({ member }: { readonly member: Member }) => {
  const t = useTranslations('invite');
  const expiresAt = member.invitation?.expiresAt ?? undefined;
  return (
    <Notice tone="success" title={t('sent')}>
      <p>{t.rich('sentTo', { email: member.email, address: (text) => <EmailAddress>{text}</EmailAddress> })}</p>
      {expiresAt !== undefined && (
        <p>
          <Instant at={expiresAt}>
            {t('openUntil', { date: formatDate(expiresAt, { dateStyle: 'medium', timeStyle: 'short' }) })}
          </Instant>
        </p>
      )}
      <MailboxLink />
    </Notice>
  );
};

const EmailAddress = ({ children }: { readonly children: ReactNode }) => (
  <span className="font-medium wrap-anywhere">{children}</span>
);
