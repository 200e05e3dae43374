/** The messages of ../../en/shared/frame.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/frame.ts';

export const frame: Translated<typeof english.frame> = {
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  home: 'Start',
  account: 'Konto',
  members: 'Mitglieder',
  plan: 'Tarif',
  console: 'Konsole',
  signOut: 'Abmelden',
  signedInAs: 'Angemeldet als {email}',
  notSignedOut: {
    title: 'Sie sind noch angemeldet',
    text: 'Zum Abmelden ist eine Verbindung zum Dienst nötig. Wählen Sie „Abmelden“ erneut, sobald sie wieder besteht.',
  },
};

export const lists: Translated<typeof english.lists> = {
  showMore: 'Mehr anzeigen',
  reload: 'Aktualisieren',
  clear: 'Filter löschen',
  any: 'Alle',
};

export const switcher: Translated<typeof english.switcher> = {
  label: 'Organisation:',
  none: 'Keine Organisation',
  yours: 'Ihre Organisationen',
  create: 'Organisation erstellen',
  switched: 'Sie sind jetzt in {name}.',
  notSwitched: 'Sie sind in {name}.',
};

export const noOrganization: Translated<typeof english.noOrganization> = {
  title: 'Keine Organisation ist aktiv',
  choose: 'Wählen Sie die Organisation, in der Sie arbeiten möchten.',
  open: '{name} öffnen',
  none: 'Sie gehören keiner Organisation an. Erstellen Sie eine, oder bitten Sie ein Mitglied einer anderen Organisation um eine Einladung: Mit dem Link darin treten Sie bei.',
  create: 'Organisation erstellen',
};
