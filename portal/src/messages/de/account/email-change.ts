/** The messages of ../../en/account/email-change.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/email-change.ts';

export const emailChange: Translated<typeof english.emailChange> = {
  title: 'Neue E-Mail-Adresse verwenden?',
  lead: 'Das Konto, bei dem Sie als <who>{email}</who> angemeldet sind, erhält die Adresse, an die dieser Link gesendet wurde.',
  effect:
    'Von da an melden Sie sich damit an, und die Nachrichten zum Konto gehen dorthin. Die bisherige Adresse erhält eine Nachricht, mit der sich die Änderung 72 Stunden lang rückgängig machen lässt. Das Öffnen dieser Seite hat noch nichts geändert.',
  submit: 'Neue Adresse verwenden',
  later: 'Nicht jetzt',
  done: {
    title: 'Ihre Adresse ist geändert',
    text: 'Ihr Konto hat jetzt die Adresse <who>{email}</who>. Ab sofort melden Sie sich damit an.',
    submit: 'Zu Ihrem Konto',
  },
  signIn: {
    title: 'Melden Sie sich an, um Ihre Adresse zu ändern',
    text: 'Dieser Link gibt Ihrem Konto eine neue E-Mail-Adresse. Melden Sie sich zuerst mit der bisherigen Adresse bei dem Konto an; danach kommen Sie hierher zurück.',
    submit: 'Anmelden',
  },
  otherAccount: {
    title: 'Dieser Link gilt für ein anderes Konto',
    text: 'Sie sind als <who>{email}</who> angemeldet. Melden Sie sich ab, und melden Sie sich bei dem Konto an, für das die neue Adresse angefordert wurde. Der Link bleibt gültig.',
    submit: 'Abmelden und das andere Konto verwenden',
    stay: 'Angemeldet bleiben',
  },
  notOpen: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Er gilt einmal und 24 Stunden lang. Vielleicht wurde er schon benutzt, seitdem wurde eine andere Adresse angefordert oder Ihr Passwort geändert, oder die Adresse hat inzwischen ein Konto. Ihr Konto ist unverändert: Fordern Sie die Änderung erneut an.',
    submit: 'Zu Ihrem Konto',
  },
};

export const emailUndo: Translated<typeof english.emailUndo> = {
  title: 'Änderung Ihrer Adresse rückgängig machen?',
  lead: 'Die E-Mail-Adresse Ihres Kontos wurde geändert. Wenn das nicht Sie waren, machen Sie es hier rückgängig.',
  effects: {
    address:
      'Ihr Konto erhält seine frühere Adresse zurück sowie Passwort, Passkeys, Einmalcodes und Verbindungen zu einem Anbieter, die es 72 Stunden vor der Anforderung der Änderung hatte.',
    added: 'Was seitdem hinzugekommen ist, wird entfernt.',
    sessions: 'Alle Geräte und Clients werden abgemeldet. Danach melden Sie sich neu an.',
  },
  unchanged: 'Das Öffnen dieser Seite hat noch nichts geändert.',
  submit: 'Änderung rückgängig machen',
  done: {
    title: 'Die Änderung ist rückgängig gemacht',
    text: 'Ihr Konto hat wieder seine frühere Adresse und sein früheres Passwort, und alle Geräte sind abgemeldet. Melden Sie sich an, und ändern Sie Ihr Passwort: Vielleicht kennt es eine andere Person.',
    submit: 'Anmelden',
  },
  notOpen: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Er gilt einmal und bis 72 Stunden nach der Änderung. Wenn eine andere Person Ihr Konto hat und die Zeit um ist, wenden Sie sich an den Betreiber dieses Dienstes.',
  },
};
