/** An open invitation for a person without an account: creates it with name and password, and accepts. */
import { useMemo } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Field } from '../../forms/field.tsx';
import { profileChecks, setFieldErrors, useProblemsInLanguage } from '../../forms/form-checks.ts';
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
  const resolver = useMemo(() => profileChecks(fields), [fields]);
  const form = useForm({ resolver, defaultValues: { name: '', password: '' } });
  useProblemsInLanguage(form, ['name', 'password'], resolver);
  const password = useWatch({ control: form.control, name: 'password' });
  const { errors } = form.formState;
  const hasFieldProblem = errors.name !== undefined || errors.password !== undefined;
  const submit = form.handleSubmit((profile) =>
    acceptance.mutate(() => completeInvitedProfile(session, { ...profile, invitationToken: token, vToken }), {
      onError: (error) => setFieldErrors(error, ['name', 'password'], form.setError),
    }),
  );
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      {acceptance.isError && !hasFieldProblem && <AcceptanceProblem error={acceptance.error} />}
      <Field {...form.register('name')} label={fields('name')} autoComplete="name" problem={errors.name?.message} />
      <NewPasswordField {...form.register('password')} typed={password} problem={errors.password?.message} />
      <Button type="submit" className="min-h-12 w-full" busy={acceptance.isPending}>
        {t('submit')}
      </Button>
    </form>
  );
};
