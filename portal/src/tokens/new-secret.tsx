/** A new secret, shown once: to copy, with an example of its use. */
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import type { IssuedSecretFragment } from '../generated/graphql.ts';

interface NewSecretProps {
  readonly issued: IssuedSecretFragment;
  readonly onDone: () => void;
}

export const NewSecret = ({ issued: { secret, token }, onDone }: NewSecretProps) => {
  const t = useTranslations('tokens.secret');
  return (
    <div className="space-y-5 px-5 py-5 sm:px-6">
      <Notice tone="warning" title={t('title', { name: token.name })}>
        <p>{t('text')}</p>
        {token.status === 'PENDING' && <p>{t('pending')}</p>}
      </Notice>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="w-full font-medium">{t('name')}</p>
        <code
          dir="ltr"
          className="min-w-0 flex-1 basis-64 rounded-control border border-line bg-canvas px-3.5 py-3 font-mono text-[0.9375rem] break-all select-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} label={t('copy')} />
      </div>
      <Example />
      <Button onClick={onDone}>{t('done')}</Button>
    </div>
  );
};

const Example = () => {
  const t = useTranslations('tokens.secret');
  const { apiOrigin } = useRouter().options.context;
  const example = exampleFor(apiOrigin || window.location.origin);
  return (
    <div className="space-y-2">
      <h3 className="font-semibold">{t('example')}</h3>
      <p className="text-soft">{t('exampleLead')}</p>
      <div className="flex flex-wrap items-start gap-3">
        <pre
          dir="ltr"
          className="min-w-0 flex-1 basis-64 rounded-control border border-line bg-canvas px-3.5 py-3 font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere"
        >
          {example}
        </pre>
        <CopyButton text={example} label={t('copyExample')} />
      </div>
    </div>
  );
};

const exampleFor = (origin: string): string =>
  [
    `curl ${origin}/graphql \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"query": "{ actor { name scopes } }"}'`,
  ].join('\n');
