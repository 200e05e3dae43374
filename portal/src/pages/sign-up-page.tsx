/** /signup: asks for an account, then tells the person to look at their mail. The answer is the same for everyone. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { NewPasswordField } from '../components/new-password-field.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { RefusalNotice } from '../components/refusal-notice.tsx';
import { Waiting } from '../components/waiting.tsx';
import { SignUpDocument, type SignUpWithPasswordInput } from '../generated/graphql.ts';
import { useSession } from '../session/session-context.tsx';
import { useArrival } from './arrival.ts';
import { CheckMail } from './check-mail.tsx';
import { showFieldProblems, signUpSchema } from './form-rules.ts';

const route = getRouteApi('/entrance/signup');

export const SignUpPage = () => {
  const { redirect } = route.useSearch();
  const session = useSession();
  const isLeaving = useArrival(redirect);
  const signUp = useMutation({
    mutationFn: (input: SignUpWithPasswordInput) => session.request(SignUpDocument, { input }),
  });
  if (isLeaving) return <Waiting />;
  if (signUp.isSuccess) {
    return (
      <CheckMail
        email={signUp.variables.email}
        verificationRequired={signUp.data.signUpWithPassword.verificationRequired}
        redirect={redirect}
        onOtherAddress={signUp.reset}
      />
    );
  }
  return <SignUp redirect={redirect} signUp={signUp} />;
};

interface SignUpProps {
  readonly redirect: string | undefined;
  readonly signUp: {
    readonly mutate: (input: SignUpWithPasswordInput, options: { onError: (error: Error) => void }) => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
}

const SignUp = ({ redirect, signUp }: SignUpProps) => {
  const t = useTranslations('signUp');
  return (
    <div className="space-y-7">
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <SignUpForm redirect={redirect} signUp={signUp} />
      <p className="text-soft">
        {t('haveAccount')}{' '}
        <Link to="/signin" search={{ redirect }} className="text-link">
          {t('signIn')}
        </Link>
      </p>
    </div>
  );
};

const SignUpForm = ({ redirect, signUp }: SignUpProps) => {
  const t = useTranslations('signUp');
  const words = useTranslations('fields');
  const schema = useMemo(() => signUpSchema(words), [words]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name: '', email: '', password: '' } });
  const password = useWatch({ control: form.control, name: 'password' });
  const { errors } = form.formState;
  const hasFieldProblem = Object.keys(errors).length > 0;
  const submit = form.handleSubmit((input) =>
    signUp.mutate(redirect === undefined ? input : { ...input, redirect }, {
      onError: (error) => showFieldProblems(error, ['name', 'email', 'password'], form.setError),
    }),
  );
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      {signUp.error !== null && !hasFieldProblem && <RefusalNotice error={signUp.error} />}
      <Field {...form.register('name')} label={words('name')} autoComplete="name" problem={errors.name?.message} />
      <Field
        {...form.register('email')}
        label={words('email')}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        problem={errors.email?.message}
      />
      <NewPasswordField {...form.register('password')} typed={password} problem={errors.password?.message} />
      <Button type="submit" className="min-h-12 w-full" busy={signUp.isPending}>
        {t('submit')}
      </Button>
    </form>
  );
};
