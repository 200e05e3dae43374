/** The look of mails, as the definition of the application gives it. */
import { defaultMailLook, type MailLook } from '../../platform/mail/message.ts';
import type { Application } from './application.ts';
import { themeOf } from './theme.ts';

/** The application's name, colour and support link. */
export const mailLookOf = ({ name, brand: { color, support } }: Application): MailLook => ({
  ...(color === null ? defaultMailLook : themeOf(color)),
  name,
  supportUrl: support,
});
