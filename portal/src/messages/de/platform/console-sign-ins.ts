/** The messages of ../../en/platform/console-sign-ins.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-sign-ins.ts';

export const consoleSignIns: Translated<typeof english.consoleSignIns> = {
  title: 'Anmeldungen',
  lead: 'Versuche, sich anzumelden, auch abgelehnte, die neuesten zuerst. Was eingegeben wurde, wird nicht gespeichert.',
  total: '{total, plural, =0 {Keine Versuche} one {# Versuch} other {# Versuche}}',
  moreThan: 'Mehr als {total, number} Versuche',
  none: 'Kein Versuch passt zu diesen Filtern.',
  outcome: 'Ergebnis:',
  success: 'Angemeldet',
  method: 'Mit:',
  network: 'IP-Adresse oder Netz',
  from: 'Von',
  to: 'Bis',
  onePerson: 'Nur eine Person',
  person: 'Nur {email}',
  remove: 'Filter entfernen: {filter}',
  columns: { when: 'Wann', person: 'Person', outcome: 'Ergebnis', from: 'Von wo' },
  unknownPerson: 'Keine bekannte Person',
  ofPerson: 'Letzte Anmeldungen',
  noneOfPerson: 'Aus den letzten Tagen ist keine Anmeldung aufgezeichnet.',
  all: 'Alle Anmeldungen ansehen',
};

export const suspension: Translated<typeof english.suspension> = {
  suspend: 'Sperren',
  reinstate: 'Sperre aufheben',
  confirm: {
    title: '{email} sperren?',
    text: 'Alle Sitzungen von {email} enden sofort, und bis die Sperre aufgehoben ist, ist keine Anmeldung möglich. Die Person erfährt es per E-Mail, ohne den Grund.',
    submit: 'Sperren',
    reason: 'Grund, für Super-Admins',
    reasonMissing: 'Geben Sie den Grund an, mit höchstens 200 Zeichen.',
  },
  confirmReinstate: {
    title: 'Sperre von {email} aufheben?',
    text: '{email} kann sich dann wieder anmelden und erfährt es per E-Mail. Beendete Sitzungen bleiben beendet.',
    submit: 'Sperre aufheben',
  },
  done: '{email} ist gesperrt. {count, plural, =0 {Kein Token war aktiv.} one {# Token war aktiv und ist beendet.} other {# Token waren aktiv und sind beendet.}}',
  reinstated: '{email} kann sich wieder anmelden.',
  list: 'Sperren',
  by: 'Von {email}, {date}',
  byGone: 'Von einem Konto, das es nicht mehr gibt, {date}',
  lasts: 'Nicht aufgehoben',
  endedBy: 'Aufgehoben von {email}, {date}',
  endedByOperator: 'Aufgehoben vom Betreiber, {date}',
  columns: { reason: 'Grund', began: 'Begonnen', ended: 'Aufgehoben' },
};
