/**
 * What a mail says, as plain data, and how it becomes text and HTML. Every mail has the same calm shape: a greeting,
 * paragraphs, at most one button, and a closing remark.
 */

/** A mail before it is rendered. All texts are plain; nothing in them is trusted as markup. */
export interface MailContent {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
  /** Small print below the action: what to do when the mail was not expected. */
  readonly remark: string;
}

/** A mail ready to be sent. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export const renderMail = (content: MailContent): MailMessage => ({
  to: content.to,
  subject: oneLine(content.subject),
  text: renderText(content),
  html: renderHtml(content),
});

/** Names come from strangers: a line break in one must not start a header or a paragraph of its own. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const renderText = ({ greeting, paragraphs, action, remark }: MailContent): string =>
  [
    oneLine(greeting),
    ...paragraphs.map(oneLine),
    ...(action === undefined ? [] : [`${oneLine(action.label)}:\n${action.url}`]),
    `-- \n${oneLine(remark)}`,
  ].join('\n\n');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => oneLine(text).replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '');

const font = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const renderHtml = ({ subject, greeting, paragraphs, action, remark }: MailContent): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:32px 16px;background:#f4f5f7;${font};font-size:16px;line-height:1.55;color:#1c2330">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #dfe3ea;border-radius:12px"><tr><td style="padding:32px">
<p style="margin:0 0 16px;font-weight:600">${escapeHtml(greeting)}</p>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('\n')}
${action === undefined ? '' : renderAction(action)}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dfe3ea;font-size:13px;color:#5b6577">${escapeHtml(remark)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;

const renderAction = ({ label, url }: { readonly label: string; readonly url: string }): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2347c5;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>
<p style="margin:0;font-size:13px;color:#5b6577">If the button does not work, open this address:<br><a href="${escapeHtml(url)}" style="color:#2347c5;word-break:break-all">${escapeHtml(url)}</a></p>`;
