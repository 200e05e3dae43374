/** The messages of ../../en/organization/members.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/members.ts';

export const members: Translated<typeof english.members> = {
  security: 'Sicherheit der Organisation',
  tokens: 'Token und Dienstkonten',
  clients: 'Verbundene Clients',
  audit: 'Protokoll der Organisation',
  title: 'Mitglieder',
  lead: 'Wer zu {organization} gehört und wer eingeladen ist.',
  left: 'Sie haben {organization} verlassen.',
  list: 'Personen',
  search: 'Nach Name oder Adresse suchen',
  shown: '{total, plural, one {# Person} other {# Personen}}',
  shownOf: '{shown, number} von {total, number} angezeigt',
  noMatches: 'Kein Mitglied hat „{search}“ im Namen oder in der Adresse.',
  role: 'Rolle:',
  status: 'Status:',
  statuses: { JOINED: 'Mitglieder', INVITED: 'Eingeladen', EXPIRED: 'Einladung abgelaufen' },
  columns: { person: 'Person', role: 'Rolle', since: 'Seit', actions: 'Aktionen' },
  seats:
    '{members, plural, one {# Mitglied} other {# Mitglieder}} und {open, plural, one {# offene Einladung} other {# offene Einladungen}}',
  seatsOf:
    '{taken, number} von {limit, number} Plätzen belegt: {members, plural, one {# Mitglied} other {# Mitglieder}} und {open, plural, one {# offene Einladung} other {# offene Einladungen}}',
  noFilterMatches: 'Kein Mitglied passt zu diesen Filtern.',
  clearSearch: 'Alle Mitglieder anzeigen',
  you: 'Sie',
  invited: 'Eingeladen',
  expired: 'Einladung abgelaufen',
  joined: 'Beigetreten am {date}',
  openUntil: 'Einladung gilt bis zum {date}',
  expiredOn: 'Der Link ist am {date} abgelaufen',
  roleOf: 'Rolle von {person}:',
  actionsFor: 'Aktionen für {person}',
};

export const memberActions: Translated<typeof english.memberActions> = {
  resend: 'Einladung erneut senden',
  withdraw: 'Einladung zurückziehen',
  remove: 'Aus der Organisation entfernen',
  leave: 'Organisation verlassen',
  done: {
    resend: 'Ein neuer Link ist unterwegs an {email}. Der vorherige Link funktioniert nicht mehr.',
    withdraw: 'Die Einladung an {email} ist zurückgezogen. Ihr Link funktioniert nicht mehr.',
    remove: '{person} ist kein Mitglied mehr.',
    leave: 'Sie haben {organization} verlassen.',
    role: '{person} hat jetzt die Rolle {role}.',
  },
  confirm: {
    withdraw: {
      title: 'Einladung an {email} zurückziehen?',
      text: 'Der Link in der Nachricht wird sofort ungültig. Sie können diese Adresse jederzeit wieder einladen.',
      submit: 'Einladung zurückziehen',
    },
    remove: {
      title: '{person} aus {organization} entfernen?',
      text: 'Alle Sitzungen von {email} in dieser Organisation enden sofort. Das Konto selbst bleibt bestehen, und Sie können es wieder einladen.',
      textWithTokens:
        'Alle Sitzungen und persönlichen Token von {email} in dieser Organisation enden sofort. Das Konto selbst bleibt bestehen, und Sie können es wieder einladen.',
      submit: 'Mitglied entfernen',
    },
    leave: {
      title: '{organization} verlassen?',
      text: 'Ihre Sitzungen darin enden sofort, sodass Sie sich vielleicht neu anmelden müssen. Zurück kommen Sie nur mit einer neuen Einladung.',
      textWithTokens:
        'Ihre Sitzungen und persönlichen Token darin enden sofort, sodass Sie sich vielleicht neu anmelden müssen. Zurück kommen Sie nur mit einer neuen Einladung.',
      submit: 'Organisation verlassen',
    },
    makeOwner: {
      title: '{person} zum Inhaber machen?',
      text: 'Inhaber dürfen alles in {organization}: den Namen und den Tarif ändern, die Rollen aller Mitglieder ändern und jedes Mitglied entfernen, auch Sie.',
      submit: 'Zum Inhaber machen',
    },
    unmakeOwner: {
      title: '{person} die Rolle des Inhabers entziehen?',
      text: '{email} hat dann die Rolle {role}. Die Sitzungen dieser Person bleiben aktiv, aber sie kann nicht mehr tun, was nur Inhaber dürfen.',
      submit: 'Rolle ändern',
    },
    ownRole: {
      title: 'Ihre eigene Rolle ändern?',
      text: 'Sie haben dann die Rolle {role}. Nur ein anderes Mitglied kann Ihnen Ihre jetzige Rolle zurückgeben.',
      submit: 'Meine Rolle ändern',
    },
  },
};

export const invite: Translated<typeof english.invite> = {
  open: 'Mitglied einladen',
  title: 'Mitglied einladen',
  lead: 'Die Person erhält eine E-Mail mit einem Link. Er gilt einmal und nur für sie.',
  titleMany: 'Viele Personen einladen',
  leadMany:
    'Fügen Sie bis zu 200 E-Mail-Adressen ein. Bevor etwas gesendet wird, sehen Sie, was mit jeder geschehen würde.',
  many: 'Viele Personen auf einmal einladen',
  one: 'Eine Person einladen',
  role: 'Rolle',
  roles: {
    MEMBER: 'Sieht, wer zur Organisation gehört.',
    ADMIN: 'Lädt Personen ein, entfernt sie und ändert ihre Rollen, außer bei Inhabern.',
    OWNER: 'Darf alles, auch Name und Tarif ändern.',
  },
  noScopes: 'Darf sich nur bei der Organisation anmelden.',
  alsoScopes: '{text} Außerdem: {scopes}.',
  moreScopes: '{scopes} · und {count, number} weitere',
  seats: {
    owner: 'Tarif ansehen',
    other: 'Bitten Sie einen Inhaber von {organization} um einen größeren Tarif.',
  },
  submit: 'Einladung senden',
  sent: 'Die Einladung ist unterwegs',
  sentTo: 'Sie geht an <address>{email}</address> und erscheint in der Liste unten.',
  openUntil: 'Der Link darin gilt bis zum {date}.',
};

export const membersForbidden: Translated<typeof english.membersForbidden> = {
  title: 'Sie können die Mitglieder nicht sehen',
  text: 'Sie gehören zu {organization}, dürfen aber die anderen Mitglieder zurzeit nicht sehen.',
  why: 'Grund:',
  plan: 'Tarif ansehen',
};
