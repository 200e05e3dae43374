/** The messages of ../../en/sign-in/verify.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/verify.ts';

export const verify: Translated<typeof english.verify> = {
  title: 'Bestätigen Sie Ihre E-Mail-Adresse',
  lead: 'Sie haben in diesem Browser ein Konto mit <address>{email}</address> angefordert. Bestätigen Sie mit der Schaltfläche, dass die Adresse Ihnen gehört, und melden Sie sich dann an. Das Öffnen des Links hat noch nichts geändert.',
  submit: 'Bestätigen',
  byPassword: {
    lead: 'Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben. Es bestätigt, dass das Konto Ihnen gehört, und meldet Sie an.',
    submit: 'Bestätigen und anmelden',
    replaces:
      'Sie sind hier als {email} angemeldet. Wenn Sie fortfahren, werden Sie stattdessen beim anderen Konto angemeldet.',
    refusedTitle: 'Das ist nicht das Passwort des Kontos',
    refused:
      'Geben Sie das Passwort der ersten Registrierung mit dieser Adresse ein: Eine spätere ändert es nicht. Wenn Sie es nicht gewählt haben, hat eine andere Person das Konto angefordert: Löschen Sie es über den Link unten, und registrieren Sie sich dann selbst.',
    reject: 'Ich habe dieses Konto nicht angefordert',
  },
  earlier: {
    title: 'Das Passwort einer früheren Registrierung gilt',
    text: 'Als Sie sich in diesem Browser registriert haben, wartete ein Konto mit dieser Adresse schon auf seine Bestätigung. Es hat das Passwort behalten, das dafür zuerst gewählt wurde.',
    lead: 'Geben Sie das Passwort der ersten Registrierung ein. Es bestätigt, dass das Konto Ihnen gehört, und meldet Sie an.',
    anew: 'Dieses Konto löschen und neu beginnen',
  },
  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Er galt 24 Stunden. Es wurde nichts bestätigt.',
    submit: 'Neuen Link senden',
  },
  signIn: 'Anmelden',
  signUp: 'Erneut registrieren',
  toStart: 'Zur Startseite',
  signedInAsOther:
    'Sie sind hier noch als {email} angemeldet. Um das gerade bestätigte Konto zu verwenden, melden Sie sich zuerst ab.',
  VERIFIED: { title: 'Ihre Adresse ist bestätigt', text: 'Vielen Dank. Sie können sich jetzt anmelden.' },
  EXPIRED_RESENT: {
    title: 'Wir haben Ihnen einen neuen Link gesendet',
    text: 'Öffnen Sie den Link in der Nachricht, die zu Ihnen unterwegs ist. Er gilt 24 Stunden.',
  },
  EXPIRED: {
    title: 'Eine Nachricht ist schon unterwegs',
    text: 'Wir senden höchstens eine pro Stunde, und die letzte ist weniger als eine Stunde alt: Benutzen Sie den Link darin. Wenn sie nicht ankommt, registrieren Sie sich in einer Stunde erneut mit derselben Adresse.',
  },
  INVALID: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Vielleicht wurde er schon benutzt oder ist unvollständig. Wenn Sie Ihre Adresse bereits bestätigt haben, melden Sie sich an. Wenn nicht, registrieren Sie sich erneut mit derselben Adresse, um einen neuen Link zu erhalten.',
  },
};

export const reject: Translated<typeof english.reject> = {
  title: 'Dieses Konto löschen?',
  lead: 'Mit Ihrer E-Mail-Adresse wurde ein Konto angefordert, das noch nicht bestätigt ist. Wenn das nicht Sie waren oder wenn Sie mit einem anderen Passwort neu beginnen möchten, löschen Sie das Konto. Das Öffnen dieser Seite hat noch nichts geändert.',
  submit: 'Konto löschen',
  keep: 'Ich habe es selbst angefordert',
  done: {
    title: 'Das Konto ist gelöscht',
    text: 'Alle seine Daten sind gelöscht. Sie können sich mit der Adresse selbst registrieren. Wir senden höchstens eine Nachricht pro Stunde an sie: Wenn nach der Registrierung keine ankommt, lassen Sie sie eine Stunde nach der letzten erneut senden.',
  },
  invalid: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Das Konto ist vielleicht schon gelöscht oder bestätigt. Wenn Sie eine neuere Nachricht erhalten haben, benutzen Sie den Link darin.',
  },
  toSignUp: 'Selbst ein Konto erstellen',
};
