/**
 * A message about what just happened. Problems interrupt a screen reader, news waits for its turn, and what is done
 * belongs into a live region of its page or takes the focus.
 */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'news' | 'done' | 'caution' | 'problem';

const tones: Readonly<Record<Tone, { readonly look: string; readonly icon: IconName }>> = {
  news: { look: 'bg-tint text-ink [&>svg]:text-accent', icon: 'info' },
  done: { look: 'bg-tint text-ink [&>svg]:text-accent', icon: 'check' },
  caution: { look: 'bg-caution-tint text-ink [&>svg]:text-caution', icon: 'alert' },
  problem: { look: 'bg-danger-tint text-ink [&>svg]:text-danger', icon: 'alert' },
};

const roles: Readonly<Record<Tone, string | undefined>> = {
  news: 'status',
  done: undefined,
  caution: 'alert',
  problem: 'alert',
};

interface NoticeProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}

export const Notice = ({ tone, title, children }: NoticeProps) => {
  const { look, icon } = tones[tone];
  return (
    <div
      role={roles[tone]}
      className={`settle flex gap-3 rounded-control px-4 py-3 text-[0.9375rem] leading-relaxed ${look}`}
    >
      <Icon name={icon} className="mt-0.5 size-5" />
      <div className="min-w-0 flex-1 space-y-2 break-words">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
};
