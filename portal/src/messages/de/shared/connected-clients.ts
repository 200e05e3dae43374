/** The messages of ../../en/shared/connected-clients.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'Leitet weiter an',
  loopback: 'Ein Programm auf dem eigenen Rechner der Person',
  clientId: 'Client-ID',
  resource: 'MCP-Server',
  scopes: 'Darf',
  connected: 'Verbunden',
  expires: 'Läuft ab',
  lastUsed: 'Zuletzt benutzt',
  neverUsed: 'Nie',
  total: '{total, plural, one {# Verbindung} other {# Verbindungen}}',
  shownOf: '{shown, number} von {total, number} angezeigt',
  end: 'Beenden',
  endOne: 'Verbindung von {name} über {host} beenden',
  wasEnded: 'Die Verbindung von {name} ist beendet. Sie funktioniert nicht mehr.',
  ending: {
    title: 'Verbindung von {name} beenden?',
    text: 'Der Client verliert den Zugriff sofort. Um wieder zu handeln, braucht er eine neue Zustimmung.',
    submit: 'Verbindung beenden',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: 'Verbundene Clients',
  lead: 'Programme wie KI-Assistenten, die Sie in Ihrem Namen in einer Organisation handeln lassen.',
  list: 'Ihre verbundenen Clients',
  none: 'Sie haben keinen Client verbunden. Fügen Sie {address} in einem MCP-Client hinzu. Er bittet dann um Ihre Zustimmung, jeweils für eine Organisation. Sie können seine Verbindung hier jederzeit beenden.',
  life: 'Eine Verbindung endet, wenn Sie sie beenden, die Organisation verlassen oder sich überall abmelden.',
};

export const organizationClients: Translated<typeof english.organizationClients> = {
  title: 'Verbundene Clients von {name}',
  lead: 'Programme wie KI-Assistenten, die Mitglieder in ihrem Namen in dieser Organisation handeln lassen.',
  list: 'Verbundene Clients',
  none: 'Kein Mitglied hat einen Client verbunden.',
  notAllowed: 'Mit Ihrer Rolle in dieser Organisation können Sie ihre verbundenen Clients nicht verwalten.',
};

export const mcpPolicy: Translated<typeof english.mcpPolicy> = {
  title: 'Richtlinie für Clients',
  lead: 'Eine Änderung gilt ab dem nächsten Aufruf jedes Clients. Ein Client, den die Richtlinie nicht zulässt, bleibt verbunden und funktioniert wieder, wenn sie ihn zulässt.',
  clients: 'Clients, die Mitglieder benutzen dürfen',
  ANY: 'Alle',
  ANY_text: 'Mitglieder verbinden die Clients ihrer Wahl.',
  LISTED: 'Aufgeführte',
  LISTED_text: 'Ein Client funktioniert, wenn seine ID oder der Host aufgeführt ist, an den er weiterleitet.',
  NONE: 'Keine',
  NONE_text: 'Kein Client funktioniert, und es kann keiner verbunden werden.',
  clientIds: 'Client-IDs',
  clientIdsHint:
    'Einer je Zeile, höchstens 100: die ID eines registrierten Clients oder die genaue https-URL eines Metadatendokuments.',
  redirectHosts: 'Hosts',
  redirectHostsHint:
    'Einer je Zeile, höchstens 100. Ein Client funktioniert, wenn er an genau diesen Host weiterleitet, wie app.example.com, oder scheme://host bei einem eigenen Schema.',
  loopbackTitle: 'Damit ist jedes Programm auf dem Rechner eines Mitglieds zugelassen',
  loopback:
    '127.0.0.1, localhost und [::1] sind der eigene Rechner der Person. Jedes Programm dort kann dorthin weiterleiten, welchen Namen es auch anzeigt.',
  submit: 'Richtlinie speichern',
  saved: 'Die Richtlinie ist gespeichert. Sie gilt ab dem nächsten Aufruf jedes Clients.',
};
