/** The form that invites somebody to the active organization by e-mail address, with the role they will have. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { type UseFormRegisterReturn, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../components/dates.tsx';
import { MailboxLink } from '../../components/mailbox-link.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { Field, FormButtons } from '../../forms/field.tsx';
import { inviteSchema, showFieldProblems } from '../../forms/form-schemas.ts';
import { InviteMemberDocument, type InviteMemberInput, type Role } from '../../generated/graphql.ts';
import { useKeptDraft, useRestoredDraft } from '../../session/drafts.ts';
import { refreshOnForbidden } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allMembers, type Member, type Membership, rolesToGive } from './members.ts';

interface InviteFormProps {
  readonly membership: Membership;
  readonly onClose: () => void;
}

const nobody: InviteMemberInput = { email: '', role: 'MEMBER' };
const keptFields = ['email', 'role'] as const;

export const InviteForm = ({ membership, onClose }: InviteFormProps) => {
  const t = useTranslations('invite');
  const words = useTranslations('fields');
  const schema = useMemo(() => inviteSchema(words), [words]);
  const draft = useRestoredDraft('invite');
  const roles = rolesToGive(membership);
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: {
      email: draft?.['email'] ?? nobody.email,
      role: roles.find((role) => role === draft?.['role']) ?? nobody.role,
    },
  });
  useKeptDraft('invite', keptFields, form.getValues);
  const { setFocus } = form;
  useEffect(() => setFocus('email'), [setFocus]);
  const inviting = useInviting();
  const send = form.handleSubmit((input) =>
    inviting.mutate(input, {
      onSuccess: () => {
        form.reset({ ...nobody, role: input.role });
        setFocus('email');
      },
      onError: (error) => showFieldProblems(error, ['email', 'role'], form.setError),
    }),
  );
  const { errors } = form.formState;
  const hasFieldProblem = errors.email !== undefined || errors.role !== undefined;
  return (
    <form noValidate className="space-y-5 px-5 py-5 sm:px-6" onSubmit={send}>
      <div role="status" className="empty:mb-0">
        {inviting.isSuccess && <Sent member={inviting.data.inviteMember} />}
      </div>
      {inviting.isError && !hasFieldProblem && <RefusalNotice error={inviting.error} />}
      <Field
        {...form.register('email')}
        label={words('email')}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        problem={errors.email?.message}
      />
      <RoleChoice roles={roles} field={form.register('role')} problem={errors.role?.message} />
      <FormButtons submit={t('submit')} busy={inviting.isPending} onClose={onClose} />
    </form>
  );
};

const useInviting = () => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: InviteMemberInput) => session.request(InviteMemberDocument, { input }),
    onSuccess: () => void queries.invalidateQueries(allMembers),
    onError: (error) => refreshOnForbidden(session, error),
  });
};

const Sent = ({ member }: { readonly member: Member }) => {
  const t = useTranslations('invite');
  const expiresAt = member.invitation?.expiresAt ?? undefined;
  return (
    <Notice tone="done" title={t('sent')}>
      <p>{t.rich('sentTo', { email: member.email, address: (text) => <Address>{text}</Address> })}</p>
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

const Address = ({ children }: { readonly children: ReactNode }) => (
  <span className="font-medium wrap-anywhere">{children}</span>
);

interface RoleChoiceProps {
  readonly roles: readonly Role[];
  readonly field: UseFormRegisterReturn;
  readonly problem: string | undefined;
}

const RoleChoice = ({ roles, field, problem }: RoleChoiceProps) => {
  const t = useTranslations('invite');
  const names = useTranslations('roles');
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-[0.9375rem] font-medium">{t('role')}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {roles.map((role) => (
          <label key={role} className="flex items-start gap-3 px-3.5 py-3">
            <input type="radio" value={role} {...field} className="mt-1 size-4 shrink-0 accent-accent" />
            <span>
              <span className="block font-medium">{names(role)}</span>
              <span className="block text-sm text-soft">{t(`roles.${role}`)}</span>
            </span>
          </label>
        ))}
      </div>
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
    </fieldset>
  );
};
