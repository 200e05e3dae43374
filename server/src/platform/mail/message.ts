/**
 * Owns the content of mails as plain data, and its rendering as text and HTML: a greeting, paragraphs, at most one
 * button with one link beside it, and a closing remark.
 */
import { getOrInsert } from '../../kernel/collections.ts';
import { type Language, languageTraits } from '../../kernel/languages.ts';

interface MailAction {
  readonly label: string;
  readonly url: string;
}

/** A mail before it is rendered. All texts are plain; none is treated as markup or becomes a link. */
export interface MailContent {
  readonly to: string;
  readonly language: Language;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly action?: MailAction;
  /** The alternative action, less prominent. */
  readonly secondAction?: MailAction;
  /** Small print below the action: what to do when the mail was not expected. */
  readonly remark: string;
  /** Before the link where recipients get help. */
  readonly support: string;
  /** Before the address of the button, written out. */
  readonly openAddress: string;
}

/** A mail ready to be sent. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** How mails look. Colours are `#rrggbb`, readable on the surfaces of the light and the dark scheme. */
export interface MailLook {
  /** The application's name. */
  readonly name: string;
  readonly light: AccentColors;
  readonly dark: AccentColors;
  /** Where recipients get help, a URL; null leaves it out. */
  readonly supportUrl: string | null;
}

interface AccentColors {
  readonly accent: string;
  readonly 'on-accent': string;
}

/** The look without a definition of an application. */
export const defaultMailLook: MailLook = {
  name: 'Gatehouse',
  light: { accent: '#0f6b58', 'on-accent': '#ffffff' },
  dark: { accent: '#5fcaaa', 'on-accent': '#05231a' },
  supportUrl: null,
};

export const renderMail = (content: MailContent, look: MailLook = defaultMailLook): MailMessage => {
  const shown = harmless(content);
  const text = renderText(shown, look);
  return { to: content.to, subject: oneLine(shown.subject), text, html: renderHtml(shown, look) };
};

/** All characters that browsers treat as a dot between the labels of a host name. */
const dotInsideWord = /[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu;
const wordJoiner = '\u2060';

/** Mail programs turn "evil.com" into a link, also in a name. A word joiner, invisible, makes it no host name. */
const unlinked = (text: string): string =>
  text
    .split(verbatimPart)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(dotInsideWord, `$&${wordJoiner}`)))
    .join('');

/** Noncharacters (Unicode Standard, section 23.7), which are in no text, around a part that stays as it is. */
const verbatimPart = /\ufdd0([^\ufdd1]*)\ufdd1/;
export const verbatimMarks = /[\ufdd0\ufdd1]/g;

/** Marks an address, which is copied and replied to, so that it gets no invisible signs. */
export const verbatim = (address: string): string => `\ufdd0${address}\ufdd1`;

/** Applies {@link unlinked} to every text except the addresses that are meant to be opened. */
const harmless = ({ action, secondAction, ...content }: MailContent): MailContent => ({
  ...content,
  subject: unlinked(content.subject),
  greeting: unlinked(content.greeting),
  paragraphs: content.paragraphs.map(unlinked),
  ...(action === undefined ? {} : { action: { label: unlinked(action.label), url: action.url } }),
  ...(secondAction === undefined
    ? {}
    : { secondAction: { label: unlinked(secondAction.label), url: secondAction.url } }),
  remark: unlinked(content.remark),
});

/** Names are untrusted: a line break in one must not start a header or a paragraph. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const renderText = (
  { language, greeting, paragraphs, action, secondAction, remark, support }: MailContent,
  { supportUrl }: MailLook,
): string =>
  [
    oneLine(greeting),
    ...paragraphs.map(oneLine),
    ...[action, secondAction].flatMap((link) =>
      link === undefined ? [] : `${oneLine(link.label)}${colonOf(language)}\n${link.url}`,
    ),
    oneLine(remark),
    ...(supportUrl === null ? [] : [`${oneLine(support)}\n${readable(supportUrl)}`]),
  ].join('\n\n');

const colons: Readonly<Partial<Record<Language, string>>> = { fr: ' :', ja: '：' };

const colonOf = (language: Language): string => colons[language] ?? ':';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text as HTML, for an element or a quoted attribute; its white space stays. */
export const escapeSigns = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '');

/** Escapes a text as one line of HTML, for an element or a quoted attribute. */
export const escapeHtml = (text: string): string => escapeSigns(oneLine(text));

const font = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

// Inline styles carry the design, for clients that drop this element, which follows the reader's colour scheme.
const darkStyles = ({ accent, 'on-accent': onAccent }: AccentColors): string => `<style>
@media (prefers-color-scheme: dark) {
body { background: #0e1412 !important; }
.card { background: #151d1a !important; border-color: #26312d !important; }
.ink { color: #e9efec !important; }
.soft { color: #a4b2ac !important; border-color: #26312d !important; }
.link { color: ${accent} !important; }
.button { background: ${accent} !important; color: ${onAccent} !important; }
}
</style>`;

const renderHtml = (
  { language, subject, greeting, paragraphs, action, secondAction, remark, support, openAddress }: MailContent,
  { name, light, dark, supportUrl }: MailLook,
): string => `<!doctype html>
<html ${directionOf(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title>
${darkStyles(dark)}
</head>
<body style="margin:0;padding:24px 12px;background:#f6f7f5;${font};font-size:16px;line-height:1.55">
<table ${directionOf(language)} role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td style="padding:0 4px 12px">
<p class="link" style="margin:0;font-size:15px;font-weight:700;letter-spacing:-0.01em;color:${light.accent}">${escapeHtml(unlinked(name))}</p>
</td></tr><tr><td class="card" style="overflow-wrap:anywhere;word-break:break-word;padding:28px 24px;background:#ffffff;border:1px solid #dfe4e1;border-radius:14px">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.25;letter-spacing:-0.02em;color:#13201c">${escapeHtml(subject)}</h1>
<p class="ink" style="margin:0 0 12px;color:#13201c">${escapeHtml(greeting)}</p>
${paragraphs.map((paragraph) => `<p class="ink" style="margin:0 0 12px;color:#13201c">${escapeHtml(paragraph)}</p>`).join('\n')}
${action === undefined ? '' : renderAction(action, openAddress, light)}
${secondAction === undefined ? '' : renderSecondAction(secondAction, light)}
<p class="soft" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dfe4e1;font-size:14px;color:#51605a">${escapeHtml(remark)}</p>
</td></tr>${supportUrl === null ? '' : renderSupport(supportUrl, support, light)}</table>
</td></tr></table>
</body>
</html>
`;

/** Attributes; of the table too, because some clients drop those of the document. */
const directionOf = (language: Language): string => `lang="${language}" dir="${languageTraits(language).direction}"`;

const renderAction = (
  { label, url }: MailAction,
  openAddress: string,
  { accent, 'on-accent': onAccent }: AccentColors,
): string =>
  `<p style="margin:24px 0"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${accent};color:${onAccent};text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>
<p class="soft" style="margin:0;font-size:14px;color:#51605a">${escapeHtml(openAddress)}<br><a class="link" dir="ltr" href="${escapeHtml(url)}" style="color:${accent};word-break:break-all">${escapeHtml(url)}</a></p>`;

const renderSecondAction = ({ label, url }: MailAction, { accent }: AccentColors): string =>
  `<p style="margin:20px 0 0"><a class="link" href="${escapeHtml(url)}" style="color:${accent};font-weight:600">${escapeHtml(label)}</a></p>`;

const renderSupport = (url: string, support: string, { accent }: AccentColors): string => `
<tr><td style="padding:16px 4px 0">
<p class="soft" style="margin:0;font-size:14px;color:#51605a">${escapeHtml(support)} <a class="link" dir="ltr" href="${escapeHtml(url)}" style="color:${accent};word-break:break-all">${escapeHtml(readable(url))}</a></p>
</td></tr>`;

/** A mailto: link as the address alone. */
const readable = (url: string): string => url.replace(/^mailto:([^?]*)$/, '$1');

/** Created on first use: each loads a locale, which takes a start longer than most modules. */
const clocks = new Map<Language, Intl.DateTimeFormat>();

const clockOf = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(languageTraits(language).locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });

/** In UTC, because the reader's time zone is unknown: "22 November 2026 at 14:05 UTC". */
export const instantInWords = (instant: Date, language: Language): string => {
  const clock = getOrInsert(clocks, language, () => clockOf(language));
  return `${clock.format(instant)} UTC`;
};
