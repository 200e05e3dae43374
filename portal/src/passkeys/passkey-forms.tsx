/** The forms that add a passkey, and rename one. */
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useDeviceLabel } from '../components/device-label.ts';
import { Field, FormButtons } from '../forms/field.tsx';
import { useOneField } from '../forms/one-field.ts';
import {
  BeginPasskeyRegistrationDocument,
  RegisterPasskeyDocument,
  RenamePasskeyDocument,
} from '../generated/graphql.ts';
import { useSession } from '../session/session-context.tsx';
import { createPasskey } from './ceremonies.ts';
import { PasskeyProblem } from './passkey-problem.tsx';

interface AddPasskeyFormProps {
  readonly onAdded: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

export const AddPasskeyForm = ({ onAdded, onClose }: AddPasskeyFormProps) => {
  const t = useTranslations('passkeys');
  const session = useSession();
  const labelOf = useDeviceLabel();
  const hintId = useId();
  const initial = labelOf({ clientName: null, issueUserAgent: navigator.userAgent });
  const field = useOneField({ missing: t('nameMissing'), initial });
  const addition = useMutation({
    mutationFn: async (name: string) => {
      const { registerPasskeyOptions: options } = await session.request(BeginPasskeyRegistrationDocument, {});
      const response = await createPasskey(options.publicKey);
      return session.request(RegisterPasskeyDocument, { input: { name, response } });
    },
    onSuccess: ({ registerPasskey: { name } }) => onAdded(t('added', { name })),
    onError: (error) => field.showRefusal(error, 'name'),
  });
  return (
    <form
      noValidate
      className="space-y-5 border-t border-line px-5 py-5 sm:px-6"
      onSubmit={field.onSubmit((name) => addition.mutate(name))}
    >
      {addition.isError && field.problem === undefined && <PasskeyProblem error={addition.error} />}
      <div className="space-y-1.5">
        <Field
          {...field.input}
          label={t('addTitle')}
          autoComplete="off"
          autoFocus
          problem={field.problem}
          describedBy={hintId}
        />
        <p id={hintId} className="text-sm text-soft">
          {t('nameHint')}
        </p>
      </div>
      <FormButtons submit={t('continue')} busy={addition.isPending} onClose={onClose} />
    </form>
  );
};

interface RenamePasskeyFormProps {
  readonly id: string;
  readonly name: string;
  readonly onRenamed: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

export const RenamePasskeyForm = ({ id, name: current, onRenamed, onClose }: RenamePasskeyFormProps) => {
  const t = useTranslations('passkeys');
  const fields = useTranslations('fields');
  const session = useSession();
  const field = useOneField({ missing: t('nameMissing'), initial: current });
  const change = useMutation({
    mutationFn: (name: string) => session.request(RenamePasskeyDocument, { id, name }),
    onSuccess: ({ renamePasskey: { name } }) => onRenamed(t('renamed', { name })),
    onError: (error) => field.showRefusal(error, 'name'),
  });
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((name) => change.mutate(name))}>
      {change.isError && field.problem === undefined && <PasskeyProblem error={change.error} />}
      <Field {...field.input} label={fields('name')} autoComplete="off" autoFocus problem={field.problem} />
      <FormButtons submit={t('save')} busy={change.isPending} onClose={onClose} />
    </form>
  );
};
