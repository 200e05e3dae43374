/** How each popular client is connected to this server, with its real address. */
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { CopyButton } from './copy-button.tsx';
import { ViewLink } from './facts.tsx';
import { type Guide, guidesFor } from './guides.ts';
import { useMcpUrl } from './view.ts';

export const McpConnect = () => {
  const t = useTranslations('mcp.connect');
  const url = useMcpUrl();
  // The page says above that it is switched off, and how to switch it on.
  if (url === undefined) return null;
  return (
    <>
      <Section title={t('title')} lead={t('lead')}>
        <div className="space-y-4 px-5 py-4 sm:px-6">
          <Copied name={t('address')} text={url} label={t('copyAddress')} />
          <Notice tone="news" title={t('warning.title')}>
            <p>{t('warning.text')}</p>
          </Notice>
          <p className="text-sm text-soft">
            {t('trouble')} <ViewLink view={{ section: 'connections' }}>{t('toConnections')}</ViewLink>
          </p>
        </div>
      </Section>
      <Section title={t('guides')}>
        <div className="divide-y divide-line">
          {guidesFor(url).map((guide) => (
            <GuideOf key={guide.client} guide={guide} />
          ))}
        </div>
      </Section>
    </>
  );
};

const GuideOf = ({ guide }: { readonly guide: Guide }) => {
  const t = useTranslations('mcp.connect');
  const { client, steps, redirects = [], note } = guide;
  const name = t(`names.${client}`);
  return (
    <details className="px-5 py-4 sm:px-6">
      <summary className="w-fit rounded font-semibold">{name}</summary>
      <div className="mt-3 space-y-4">
        {steps.map(({ words, copied }) => {
          const step = t(`steps.${words}`);
          return <Copied key={words} name={step} text={copied} label={t('copyStep', { client: name, step })} />;
        })}
        {redirects.length > 0 && (
          <p className="text-sm leading-relaxed text-soft">{t('redirects', { client: name })}</p>
        )}
        {redirects.map((uri) => (
          <Copied key={uri} text={uri} label={t('copyRedirect', { uri })} />
        ))}
        {note !== undefined && <p className="text-sm leading-relaxed text-soft">{t(`notes.${note}`)}</p>}
      </div>
    </details>
  );
};

interface CopiedProps {
  readonly name?: string;
  readonly text: string;
  /** Names the button that copies it. */
  readonly label: string;
}

/** A text to copy: it is selected whole at a click, and its button copies it. */
const Copied = ({ name, text, label }: CopiedProps) => (
  <div className="space-y-1.5">
    {name !== undefined && <p className="text-[0.9375rem]">{name}</p>}
    <div className="flex flex-wrap items-center gap-2">
      <code className="min-w-0 flex-1 rounded-control bg-canvas px-3 py-2 font-mono text-sm wrap-anywhere whitespace-pre-wrap select-all">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  </div>
);
