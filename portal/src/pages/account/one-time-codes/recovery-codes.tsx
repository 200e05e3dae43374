/** Recovery codes, shown once: to copy, to download as a text file, or to print. */
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useApplication } from '../../../components/application.tsx';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { usePerson } from '../../../session/session-context.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export const RecoveryCodes = ({ codes, onDone }: RecoveryCodesProps) => {
  const t = useTranslations('oneTimeCodes');
  const title = t('codesOf', { email: usePerson().email, application: useApplication().name });
  const text = `${[title, '', ...codes].join('\n')}\n`;
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(text) });
  return (
    <div className="space-y-5 px-5 py-5 sm:px-6">
      <Notice tone="warning" title={t('codesTitle')}>
        <p>{t('codesLead')}</p>
      </Notice>
      <div data-print className="space-y-3">
        <p className="text-sm wrap-anywhere text-soft">{title}</p>
        <ol className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>
              <code className="font-mono text-base select-all">{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div role="status" className="empty:hidden">
        {copy.isSuccess && <p className="text-soft">{t('copied')}</p>}
        {copy.isError && <p className="text-soft">{t('notCopied')}</p>}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => copy.mutate()}>
          {t('copy')}
        </Button>
        <Button variant="secondary" onClick={() => download(text)}>
          {t('download')}
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          {t('print')}
        </Button>
        <Button onClick={onDone}>{t('done')}</Button>
      </div>
    </div>
  );
};

const download = (text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
};
