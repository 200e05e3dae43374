/** The messages of ../../en/platform/console-overview.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-overview.ts';

export const overview: Translated<typeof english.overview> = {
  title: 'Übersicht',
  lead: 'Was im Dienst geschehen ist und was jetzt wartet oder fehlschlägt.',
  period: 'Zeitraum',
  periods: { HOURS_24: 'Letzte 24 Stunden', DAYS_30: 'Letzte 30 Tage' },
  signIns: 'Anmeldungen',
  refused: 'Abgelehnte Anmeldungen',
  ended: 'Beendete Sitzungen',
  calls: 'Aufrufe von MCP-Tools',
  denied:
    '{count, plural, =0 {keiner verweigert oder fehlgeschlagen} one {# verweigert oder fehlgeschlagen} other {# verweigert oder fehlgeschlagen}}',
  active: 'Aktive Sitzungen und Token',
  moreThan: 'Mehr als {count, number}',
  mails: 'Wartende E-Mails',
  oldest: 'die älteste seit {seconds, plural, one {# Sekunde} other {# Sekunden}}',
  jobs: 'Geplante Aufgaben',
  jobsWork: 'Alle funktionieren',
  jobsFail: '{count, plural, one {# schlägt fehl: {names}} other {# schlagen fehl: {names}}}',
  seeSignIns: 'Anmeldungen ansehen',
  seeRefused: 'Alle Versuche ansehen',
  seeSessions: 'Sitzungen ansehen',
  seeCalls: 'Aufrufe ansehen',
  plot: '{name}, nach {unit, select, hour {Stunden} other {Tagen}}',
  noData: 'Keine Daten.',
  noDataBefore: 'Keine Daten vor {when}.',
  noDataCell: 'keine Daten',
  table: 'Die Zahlen als Tabelle',
  columns: { when: 'Wann', count: 'Anzahl' },
};
