/** The messages of ../../en/organization/invite-many.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invite-many.ts';

export const inviteMany: Translated<typeof english.inviteMany> = {
  title: 'Viele Personen einladen',
  addresses: 'E-Mail-Adressen',
  addressesHint:
    'Aus einer Spalte, einer Liste oder den Empfängern einer E-Mail: getrennt durch Zeilenumbrüche, Kommas, Semikolons oder Leerzeichen.',
  counted: '{count, plural, =0 {Noch keine Adresse} one {# Adresse} other {# Adressen}}',
  missing: 'Fügen Sie mindestens eine Adresse ein.',
  tooMany: '{count, number} Adressen: höchstens {most, number} auf einmal.',
  check: 'Adressen prüfen',
  preview: {
    title: 'Noch wurde nichts gesendet',
    ready:
      '{count, plural, =0 {Es würde keine Einladung gesendet} one {# Einladung würde gesendet} other {# Einladungen würden gesendet}}',
    submit: '{count, plural, one {# Einladung senden} other {# Einladungen senden}}',
    change: 'Liste ändern',
  },
  report: {
    title: 'Die Liste ist abgearbeitet',
    sent: '{count, plural, =0 {Es wurde keine Einladung gesendet} one {# Einladung ist unterwegs} other {# Einladungen sind unterwegs}}',
    another: 'Weitere einladen',
    differs:
      'Seit der Vorschau haben sich die Mitglieder, die Plätze oder die Grenzen geändert: Der Bericht unten zeigt, was geschehen ist.',
  },
  notInvited: '{count, plural, one {# Adresse bleibt außen vor} other {# Adressen bleiben außen vor}}',
  outcomes: {
    INVITED: 'Eingeladen',
    RENEWED: 'Erneut eingeladen: Der frühere Link war abgelaufen',
    MEMBER: 'Ist schon Mitglied',
    ALREADY_INVITED: 'Ist schon eingeladen',
    OWN_ADDRESS: 'Ist Ihre eigene Adresse',
    MALFORMED: 'Ist keine E-Mail-Adresse',
    REPEATED: 'Steht zweimal in der Liste',
    NO_SEAT: 'Im Tarif ist kein Platz mehr frei',
    TOO_MANY_MAILS: 'Zurzeit zu viele Einladungen: Versuchen Sie es später erneut',
    NOT_ALLOWED: 'War mit einer Rolle eingeladen, die Sie nicht vergeben dürfen',
  },
  columns: { address: 'Adresse', outcome: 'Was geschieht' },
  plan: 'Tarif ansehen',
};
