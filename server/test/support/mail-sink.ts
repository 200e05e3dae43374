/** A mail server that keeps what it accepts, for tests whose mails must outlive the process that sent them. */
import { createServer, type Server, type Socket } from 'node:net';

export interface AcceptedMail {
  readonly to: string;
  /** Headers and body, quoted-printable undone. */
  readonly text: string;
}

export class MailSink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly mails: AcceptedMail[] = [];

  private constructor() {
    this.#server = createServer((socket) => this.#converse(socket));
  }

  static async start(): Promise<MailSink> {
    const sink = new MailSink();
    await new Promise<void>((resolve) => {
      sink.#server.listen(0, '127.0.0.1', resolve);
    });
    return sink;
  }

  /** For SMTP_URL. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The mail sink does not listen');
    return `smtp://127.0.0.1:${address.port}`;
  }

  /** Raw verification tokens mailed to an address, oldest first. */
  tokensFor(address: string): string[] {
    return this.mails
      .filter(({ to }) => to === address)
      .flatMap(({ text }) => /\/verify\/([0-9a-f]{64})/.exec(text)?.[1] ?? []);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #converse(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // A sender that was killed resets its connection; a mail that was not accepted by then does not count.
    socket.on('error', () => socket.destroy());
    let received = '';
    let recipient = '';
    let isBody = false;
    const takeBody = (): boolean => {
      const end = received.indexOf('\r\n.\r\n');
      if (end === -1) return false;
      this.mails.push({ to: recipient, text: undoQuotedPrintable(received.slice(0, end)) });
      received = received.slice(end + 5);
      isBody = false;
      socket.write('250 accepted\r\n');
      return true;
    };
    const takeLine = (): boolean => {
      const end = received.indexOf('\r\n');
      if (end === -1) return false;
      const line = received.slice(0, end);
      received = received.slice(end + 2);
      recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1] ?? recipient;
      isBody = /^DATA/i.test(line);
      socket.write(isBody ? '354 go on\r\n' : '250 ok\r\n');
      return true;
    };
    socket.write('220 sink\r\n');
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      while (isBody ? takeBody() : takeLine());
    });
  }
}

const undoQuotedPrintable = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
