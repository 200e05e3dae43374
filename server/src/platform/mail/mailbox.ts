/** The development mailbox: the last 500 mails of this process, in memory, for want of an SMTP server. */
import { newId } from '../../kernel/ids.ts';
import type { MailMessage } from './message.ts';
import type { MailTransport } from './transport.ts';

export interface MailboxEntry extends MailMessage {
  readonly id: string;
  /** The absolute URLs in the mail's text. */
  readonly links: readonly string[];
  /** ISO 8601, UTC. */
  readonly sentAt: string;
}

export interface Mailbox extends MailTransport {
  /** Newest first. */
  list(): readonly MailboxEntry[];
  find(id: string): MailboxEntry | null;
  empty(): void;
}

const capacity = 500;

export const createMailbox = (): Mailbox => {
  let entries: readonly MailboxEntry[] = [];
  return {
    async send(message) {
      const links = message.text.match(/https?:\/\/\S+/g) ?? [];
      entries = [{ id: newId(), ...message, links, sentAt: new Date().toISOString() }, ...entries].slice(0, capacity);
    },
    list: () => entries,
    find: (id) => entries.find((entry) => entry.id === id) ?? null,
    empty: () => {
      entries = [];
    },
    close: () => undefined,
  };
};
