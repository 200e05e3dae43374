/** What a check of the doctor finds: one sentence, and for what is wrong the way to mend it. Never a secret. */

/** The subjects that are checked, in the order in which they are shown. */
export const subjects = [
  'configuration',
  'origins',
  'proxy',
  'database',
  'clock',
  'accounts',
  'mail',
  'redis',
  'provider',
  'service',
  'portal',
  'mcp',
] as const;
export type Subject = (typeof subjects)[number];

/** `error`: something cannot work. `warning`: it works less well, or less safely, than meant. */
export type Level = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly check: Subject;
  readonly level: Level;
  /** One sentence. */
  readonly says: string;
  /** What to do; null when there is nothing to do. */
  readonly mend: string | null;
}

/** Makes the findings of one subject. */
export const findingsOn = (check: Subject) => ({
  ok: (says: string): Finding => ({ check, level: 'ok', says, mend: null }),
  warning: (says: string, mend: string): Finding => ({ check, level: 'warning', says, mend }),
  error: (says: string, mend: string): Finding => ({ check, level: 'error', says, mend }),
});

/** Splits a sentence of the form "what is wrong; what to do." as refusals of the database have it. */
export const splitAdvice = (sentence: string): { readonly says: string; readonly advice: string } => {
  const at = sentence.lastIndexOf('; ');
  if (at === -1) return { says: sentence, advice: '' };
  const advice = sentence.slice(at + 2);
  return { says: `${sentence.slice(0, at)}.`, advice: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}` };
};
