/** A real SMTP server on 127.0.0.1 that keeps, refuses or delays mails, and can be stopped. */
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { freePort } from './listen.ts';

export interface ReceivedMail {
  /** The name in the client's EHLO, in lower case. */
  readonly ehlo: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** Every header in order, unfolded, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly html: string;
}

export type SmtpStage = 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA';

export interface SmtpService {
  readonly url: string;
  /** Oldest first. */
  readonly mails: readonly ReceivedMail[];
  /** From now on every mail is refused like this, or none. */
  refuse(stage: SmtpStage, code: number, message: string): void;
  accept(): void;
  /** From now on no client gets an answer at this stage; at `DATA` the mail is accepted nevertheless. */
  hold(stage: SmtpStage): void;
  /** Sends the delayed answers, and every later one at once again. */
  release(): void;
  held(): number;
  down(): Promise<void>;
  up(): Promise<void>;
}

interface Refusal {
  readonly stage: SmtpStage;
  readonly code: number;
  readonly message: string;
}

class Refused extends Error {
  readonly responseCode: number;

  constructor({ code, message }: Refusal) {
    super(message);
    this.responseCode = code;
  }
}

export const startSmtp = async (): Promise<SmtpService> => {
  const port = await freePort();
  const mails: ReceivedMail[] = [];
  let refusal: Refusal | null = null;
  let heldStage: SmtpStage | null = null;
  const owed: (() => void)[] = [];
  const answerAt = (stage: SmtpStage, give: () => void): void => {
    if (heldStage === stage) owed.push(give);
    else give();
  };
  const errorAt = (stage: SmtpStage): Refused | null => (refusal?.stage === stage ? new Refused(refusal) : null);
  const create = (): SMTPServer =>
    new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: ({ username }, _session, answer) => answer(errorAt('AUTH'), { user: username }),
      hideSTARTTLS: true,
      // Connections that the service keeps for the next mail are cut when the server stops.
      closeTimeout: 100,
      disableReverseLookup: true,
      onMailFrom: (_address, _session, answer) => answerAt('MAIL FROM', () => answer(errorAt('MAIL FROM'))),
      onRcptTo: (_address, _session, answer) => answerAt('RCPT TO', () => answer(errorAt('RCPT TO'))),
      onData: (stream, { envelope, hostNameAppearsAs: ehlo }, answer) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        buffer(stream).then(
          (bytes) => {
            const error = errorAt('DATA');
            if (error === null) mails.push({ ehlo, from, to, ...readMail(bytes.toString('utf8')) });
            answerAt('DATA', () => answer(error));
          },
          (error: unknown) => answer(error instanceof Error ? error : new Error('unreadable')),
        );
      },
    });
  let server = create();
  const up = async (): Promise<void> => {
    server = create();
    // Clients that the tests cut off.
    server.on('error', () => undefined);
    const listening = server.listen(port, '127.0.0.1');
    if (!listening.listening) await once(listening, 'listening');
  };
  await up();
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (stage, code, message) => {
      refusal = { stage, code, message };
    },
    accept: () => {
      refusal = null;
    },
    hold: (stage) => {
      heldStage = stage;
    },
    release: () => {
      heldStage = null;
      for (const give of owed.splice(0)) give();
    },
    held: () => owed.length,
    down: () => new Promise((resolve) => server.close(() => resolve())),
    up,
  };
};

const split = (text: string): readonly [head: string, body: string] => {
  const at = text.indexOf('\r\n\r\n');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 4)];
};

const headersOf = (head: string): [string, string][] =>
  head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    });

const decode = (body: string, encoding: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** A mail with a text and an HTML alternative, as the service sends them. */
const readMail = (raw: string): Pick<ReceivedMail, 'raw' | 'headers' | 'text' | 'html'> => {
  const [head, body] = split(raw);
  const headers = headersOf(head);
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => {
    const [partHead, partBody] = split(part.replace(/^\r\n/, ''));
    const facts = new Map(headersOf(partHead));
    const content = decode(partBody, facts.get('content-transfer-encoding') ?? '').replaceAll('\r\n', '\n');
    return { type: facts.get('content-type') ?? '', content };
  });
  const partOf = (name: string): string => parts.find((part) => part.type.startsWith(name))?.content.trimEnd() ?? '';
  return { raw, headers, text: partOf('text/plain'), html: partOf('text/html') };
};
