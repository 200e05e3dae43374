/** The messages of ../governance.ts in German. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../governance.ts';

export const governance: Translated<typeof english.governance> = {
  title: 'Sitzungen',
  lead: 'Die aktiven Sitzungen aller Personen und Programme, die neuesten zuerst.',
  cannotRevoke: {
    title: 'Sie können Sitzungen ansehen, aber nicht beenden',
    why: 'Zum Beenden einer Sitzung ist die Berechtigung sessions:revoke nötig.',
  },
  list: 'Aktive Sitzungen',
  search: 'Nach E-Mail-Adresse suchen',
  hint: 'Wählen Sie in der Liste eine Adresse oder eine Organisation, um nur deren Sitzungen zu sehen.',
  audience: 'Für:',
  audiences: { portal: 'Portal', api: 'API', mcp: 'MCP' },
  methods: {
    password: 'mit Passwort angemeldet',
    invitation: 'über eine Einladung angemeldet',
    google: 'mit Google angemeldet',
    mcp_oauth: 'als MCP-Client verbunden',
    other: 'angemeldet mit {method}',
  },
  filters: {
    person: 'Nur {email}',
    onePerson: 'Nur eine Person',
    organization: 'Nur {organization}',
    oneOrganization: 'Nur eine Organisation',
    remove: 'Filter entfernen: {filter}',
  },
  invalidFilters: {
    title: 'Ein Filter in der Adresse dieser Seite ist falsch',
    email: 'E-Mail-Adresse',
    audience: 'Zielgruppe',
    user: 'Person',
    organization: 'Organisation',
    notAnId: 'Das ist keine ID.',
    notAnAudience: 'Das ist keine Zielgruppe.',
  },
  onlyPerson: 'Nur {email}',
  onlyOrganization: 'Nur {organization}',
  total: '{shown, plural, =0 {Keine aktiven Sitzungen} one {# aktive Sitzung} other {# aktive Sitzungen}}',
  moreThan: 'Mehr als {shown, plural, one {# aktive Sitzung} other {# aktive Sitzungen}}',
  shownOfMore: '{shown, number} angezeigt; es gibt weitere',
  none: 'Keine aktive Sitzung passt zu diesen Filtern.',
  you: 'Das sind Sie',
  organization: 'Organisation',
  noOrganization: 'Keine',
  issued: 'Ausgestellt',
  lastSeen: 'Zuletzt aktiv',
  expires: 'Läuft ab',
  from: '{when} von {address}',
  neverSeen: 'Noch nicht benutzt',
  revoke: 'Sitzung widerrufen',
  revokeOf: 'Sitzung von {email} widerrufen, {device}, ausgestellt am {date}',
  revokeEverywhere: 'Überall abmelden',
  revokeEverywhereOf: 'Überall abmelden: {email}',
  confirm: {
    session: {
      title: 'Eine Sitzung von {email} widerrufen?',
      text: 'Das beendet die Sitzung von {device}, ausgestellt am {date}. Ihr Zugriffstoken und ihr Aktualisierungstoken gelten sofort nicht mehr. Andere Sitzungen von {email} bleiben aktiv.',
      submit: 'Sitzung widerrufen',
      own: 'Das ist die Sitzung, die Sie gerade benutzen. Sie werden hier abgemeldet.',
    },
    everywhere: {
      title: '{email} überall abmelden?',
      text: 'Alle Sitzungen von {email} enden sofort, auf allen Geräten und in allen Programmen, in allen Organisationen. Das Konto selbst bleibt bestehen: Wer sein Passwort kennt, kann sich wieder anmelden.',
      submit: 'Überall abmelden',
      own: 'Das sind Sie selbst. Auch die Sitzung, die Sie gerade benutzen, endet, und Sie werden hier abgemeldet.',
    },
  },
  result:
    '{count, plural, =0 {Kein Token von {email} war noch aktiv.} one {# Token von {email} war aktiv und ist beendet.} other {# Token von {email} waren aktiv und sind beendet.}}',
};
