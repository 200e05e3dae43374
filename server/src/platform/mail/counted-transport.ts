/** The way out for mail with its attempts counted. */
import type { Counts } from '../metrics.ts';
import type { MailTransport } from './transport.ts';

/** The same transport where nobody reads the counts. */
export const countMails = (transport: MailTransport, counts: Pick<Counts, 'mails'> | null): MailTransport =>
  counts === null ? transport : counted(transport, counts);

const counted = (transport: MailTransport, { mails }: Pick<Counts, 'mails'>): MailTransport => ({
  send: async (message) => {
    try {
      await transport.send(message);
    } catch (error) {
      mails.at('failed').value += 1;
      throw error;
    }
    mails.at('sent').value += 1;
  },
  close: () => transport.close(),
});
