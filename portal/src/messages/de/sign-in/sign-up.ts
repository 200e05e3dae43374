/** The messages of ../../en/sign-in/sign-up.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-up.ts';

export const signUp: Translated<typeof english.signUp> = {
  title: 'Konto erstellen',
  lead: 'Wir senden Ihnen einen Link, mit dem Sie Ihre Adresse bestätigen.',
  leadWithProvider:
    'Fahren Sie mit {provider} fort, oder wählen Sie ein Passwort: Dann senden wir Ihnen einen Link, mit dem Sie Ihre Adresse bestätigen.',
  submit: 'Konto erstellen',
  haveAccount: 'Haben Sie schon ein Konto?',
  signIn: 'Anmelden',
};

export const checkMail: Translated<typeof english.checkMail> = {
  title: 'Sehen Sie in Ihr E-Mail-Postfach',
  sent: 'Wir senden eine Nachricht an <address>{email}</address>, sofern in der letzten Stunde keine gesendet wurde. Sie sagt, wie es weitergeht: mit einem Link, der ein neues Konto bestätigt, oder, wenn Sie schon ein Konto haben, mit der Anmeldung.',
  validity: 'Der Link gilt 24 Stunden.',
  earlier:
    'Wenn Sie sich mit dieser Adresse schon einmal registriert und sie noch nicht bestätigt haben, gilt das Passwort von damals. Um neu zu beginnen, verwenden Sie den zweiten Link der Nachricht.',
  missing:
    'Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach. Wir senden höchstens eine Nachricht pro Stunde.',
  sendAgain: 'Erneut senden',
  sentAgain:
    'Wenn die Adresse auf ihre Bestätigung wartet und die letzte Nachricht vor mehr als einer Stunde gesendet wurde, ist eine weitere unterwegs. Der Link in einer älteren Nachricht gilt dann vielleicht nicht mehr.',
  otherAddress: 'Andere Adresse verwenden',
  unansweredTitle: 'Ihr Konto wurde vielleicht erstellt',
  unanswered:
    'Der Dienst hat nicht rechtzeitig geantwortet. Wenn Ihr Konto erstellt wurde, ist eine Nachricht an <address>{email}</address> unterwegs: Öffnen Sie den Link darin.',
  unansweredMissing:
    'Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, und registrieren Sie sich dann erneut: Mit derselben Adresse schadet das nicht.',
  again: 'Erneut registrieren',
  readyTitle: 'Weiter mit der Anmeldung',
  ready:
    'Wenn die Adresse hier neu ist, ist Ihr Konto bereit. Wenn sie schon ein Konto hat, hat sich an diesem nichts geändert, und sein eigenes Passwort gilt.',
};
