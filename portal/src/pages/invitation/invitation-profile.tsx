/** An open invitation for a person without an account: creates it with name and password, and accepts. */
import { useTranslations } from 'use-intl';
import { SubmitButton } from '../../components/submit-button.tsx';
import { Field } from '../../forms/field.tsx';
import { useForm } from '../../forms/form.ts';
import { nameRule, newPasswordRule } from '../../forms/form-rules.ts';
import { NewPasswordField } from '../../forms/password-fields.tsx';
import { useSession } from '../../session/session-context.tsx';
import { type Acceptance, AcceptanceProblem, InvitationDetails } from './accept-invitation.tsx';
import { completeInvitedProfile, type Invitation } from './invitation-query.ts';

interface CompleteProfileProps {
  readonly invitation: Invitation;
  readonly token: string;
  readonly vToken: string;
  readonly acceptance: Acceptance;
}

export const CompleteProfile = ({ invitation, ...form }: CompleteProfileProps) => {
  const t = useTranslations('invitation.completeProfile');
  return (
    <div className="settle space-y-6">
      <InvitationDetails invitation={invitation} />
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      <ProfileForm {...form} />
      <p className="text-sm leading-relaxed text-soft">{t('address')}</p>
    </div>
  );
};

const ProfileForm = ({ token, vToken, acceptance }: Omit<CompleteProfileProps, 'invitation'>) => {
  const t = useTranslations('invitation.completeProfile');
  const fields = useTranslations('fields');
  const session = useSession();
  const form = useForm({ name: nameRule(fields), password: newPasswordRule(fields) });
  const submit = form.onSubmit((read) => {
    const profile = { name: read('name'), password: read('password') };
    acceptance.mutate(() => completeInvitedProfile(session, { ...profile, invitationToken: token, vToken }), {
      onError: form.showRefusal,
    });
  });
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      {acceptance.isError && !form.hasProblem && <AcceptanceProblem error={acceptance.error} />}
      <Field {...form.field('name')} label={fields('name')} autoComplete="name" />
      <NewPasswordField {...form.field('password')} typed={form.typed('password')} />
      <SubmitButton busy={acceptance.isPending}>{t('submit')}</SubmitButton>
    </form>
  );
};
