/** Set-up of one-time codes: a QR code, the key as text, and the code that shows that the app has it. */
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { encode } from 'uqr';
import { useTranslations } from 'use-intl';
import { AccountRefusal } from '../../../components/account-refusal.tsx';
import { Button } from '../../../components/button.tsx';
import { Notice, RefusalNotice } from '../../../components/notice.tsx';
import { SectionLoading } from '../../../components/section.tsx';
import { CodeField, FormButtons } from '../../../forms/field.tsx';
import { useOneField } from '../../../forms/one-field.ts';
import { BeginTotpDocument, type BeginTotpMutation, ConfirmTotpDocument } from '../../../generated/graphql.ts';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';

interface TotpSetUpProps {
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

export const TotpSetUp = ({ onConfirmed, onClose }: TotpSetUpProps) => {
  const t = useTranslations('oneTimeCodes');
  const session = useSession();
  const { mutate: begin, ...begun } = useMutation({ mutationFn: () => session.request(BeginTotpDocument, {}) });
  useEffect(begin, [begin]);
  if (begun.isError) {
    return (
      <div className="space-y-4 px-5 py-5 sm:px-6">
        <RefusalNotice error={begun.error} />
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => begin()}>{t('startAgain')}</Button>
          <CloseButton onClose={onClose} />
        </div>
      </div>
    );
  }
  if (begun.data === undefined) return <SectionLoading />;
  const { beginTotp: enrolment } = begun.data;
  return (
    <div className="space-y-6 px-5 py-5 sm:px-6">
      <Enrolment {...enrolment} />
      <ConfirmForm
        // A new secret gets an empty form.
        key={enrolment.secret}
        onConfirmed={onConfirmed}
        onStartAgain={begin}
        onClose={onClose}
      />
    </div>
  );
};

const CloseButton = ({ onClose }: Pick<TotpSetUpProps, 'onClose'>) => {
  const t = useTranslations('common');
  return (
    <Button variant="secondary" onClick={onClose}>
      {t('close')}
    </Button>
  );
};

const Enrolment = ({ secret, uri }: BeginTotpMutation['beginTotp']) => {
  const t = useTranslations('oneTimeCodes');
  return (
    <div className="flex flex-col gap-5 sm:flex-row sm:items-start">
      <QrCode text={uri} label={t('qrCode')} />
      <div className="min-w-0 space-y-3">
        <p className="font-semibold">{t('scan')}</p>
        <div className="space-y-1">
          <p className="text-soft">{t('byHand')}</p>
          <p>
            <code className="font-mono text-[0.9375rem] wrap-anywhere select-all">{inGroups(secret)}</code>
          </p>
        </div>
        <p>
          <a href={uri} className="text-link inline-flex min-h-11 items-center">
            {t('open')}
          </a>
        </p>
      </div>
    </div>
  );
};

/** For reading and typing: authenticator apps ignore the spaces. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Modules of light around the code, which scanners need. */
const quietZone = 4;

/** Always dark on white: many scanners read no inverted code. */
const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-56 shrink-0 self-center rounded-control border border-line sm:self-start"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
};

interface ConfirmFormProps extends TotpSetUpProps {
  readonly onStartAgain: () => void;
}

const ConfirmForm = ({ onConfirmed, onStartAgain, onClose }: ConfirmFormProps) => {
  const t = useTranslations('oneTimeCodes');
  const fields = useTranslations('fields');
  const session = useSession();
  const field = useOneField({ missing: fields('codeMissing') });
  const confirm = useMutation({
    mutationFn: (code: string) => session.request(ConfirmTotpDocument, { code }),
    onSuccess: ({ confirmTotp: { codes } }) => onConfirmed(codes),
    onError: field.focus,
  });
  const isWrong = confirm.isError && hasCode(confirm.error, 'INVALID_CREDENTIALS');
  if (confirm.isError && hasCode(confirm.error, 'CHALLENGE_REFUSED')) {
    return (
      <Notice tone="warning">
        <p>{t('expired')}</p>
        <Button variant="secondary" onClick={onStartAgain}>
          {t('startAgain')}
        </Button>
      </Notice>
    );
  }
  return (
    <form noValidate className="space-y-5" onSubmit={field.onSubmit((code) => confirm.mutate(code))}>
      {confirm.isError && !isWrong && <AccountRefusal error={confirm.error} />}
      <CodeField
        {...field.input}
        label={t('code')}
        inputMode="numeric"
        className="font-mono tracking-widest"
        problem={field.problem ?? (isWrong ? t('wrongCode') : undefined)}
      />
      <FormButtons submit={t('confirm')} busy={confirm.isPending} onClose={onClose} />
    </form>
  );
};
