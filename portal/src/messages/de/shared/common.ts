/** The messages of ../../en/shared/common.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/common.ts';

export const common: Translated<typeof english.common> = {
  loading: 'Wird geladen',
  takesLonger: 'Das dauert länger als sonst. Bitte warten Sie.',
  tryAgain: 'Erneut versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  toSignIn: 'Zur Anmeldung',
  toStart: 'Zur Startseite',
  openMailbox: 'Entwicklungspostfach öffnen',
  reference: 'Vorgangsnummer',
  language: 'Sprache',
  links: { support: 'Hilfe', terms: 'Nutzungsbedingungen', privacy: 'Datenschutz' },
};

export const roles: Translated<typeof english.roles> = { OWNER: 'Inhaber', ADMIN: 'Administrator', MEMBER: 'Mitglied' };

export const fields: Translated<typeof english.fields> = {
  name: 'Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  showPassword: 'Passwort anzeigen',
  nameMissing: 'Geben Sie Ihren Namen ein.',
  organizationNameMissing: 'Geben Sie einen Namen für die Organisation ein.',
  emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  inviteeEmailMissing: 'Geben Sie die E-Mail-Adresse der Person ein, die Sie einladen.',
  emailShape: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  codeMissing: 'Geben Sie den Code ein.',
  passwordTooWeak: 'Dieses Passwort erfüllt nicht alle Anforderungen unten.',
  passwordTooManyBytes:
    'Dieses Passwort ist länger als 72 Byte. Verwenden Sie weniger Emojis oder Zeichen mit Akzenten.',
};

export const failures: Translated<typeof english.failures> = {
  OFFLINE: {
    title: 'Keine Verbindung',
    text: 'Der Dienst war nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
  },
  noAnswer: {
    title: 'Keine Antwort in der erwarteten Zeit',
    text: 'Der Dienst ist sehr beschäftigt. Was Sie wollten, kann geschehen sein oder gleich geschehen: Sehen Sie nach, bevor Sie es erneut versuchen.',
  },
  UNAVAILABLE: {
    title: 'Zurzeit nicht verfügbar',
    text: 'Der Dienst kann im Moment nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
  },
  RATE_LIMITED: {
    title: 'Zu viele Versuche',
    text: 'Bitte warten Sie {seconds, plural, =0 {einen Moment} one {# Sekunde} other {# Sekunden}}, und versuchen Sie es dann erneut.',
  },
  ACCOUNT_SUSPENDED: {
    title: 'Ihr Konto ist gesperrt',
    text: 'Sie können sich nicht anmelden, bis die Sperre aufgehoben ist. Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  FORBIDDEN: {
    title: 'Nicht erlaubt',
    text: 'Ihre Rolle oder der Tarif Ihrer Organisation erlaubt das nicht. Eines von beiden kann sich gerade geändert haben.',
  },
  MEMBERSHIP_REQUIRED: {
    title: 'Keine Organisation ist aktiv',
    text: 'Sie gehören der Organisation nicht mehr an oder haben noch keine ausgewählt.',
  },
  NOT_FOUND: {
    title: 'Nicht mehr vorhanden',
    text: 'Es wurde inzwischen vielleicht entfernt. Diese Seite zeigt jetzt den aktuellen Stand.',
  },
  INVITATION_NOT_OPEN: {
    title: 'Die Einladung ist nicht mehr offen',
    text: 'Sie wurde inzwischen angenommen oder zurückgezogen. Diese Seite zeigt jetzt den aktuellen Stand.',
  },
  LAST_OWNER: {
    title: 'Eine Organisation braucht einen Inhaber',
    text: 'Das ist der einzige. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  },
  SEATS_EXHAUSTED: {
    title: 'Kein Platz ist frei',
    text: 'Mitglieder und offene Einladungen belegen alle Plätze im Tarif der Organisation. Wenn Sie eines davon entfernen oder einen größeren Tarif wählen, wird Platz frei.',
  },
  REAUTHENTICATION_REQUIRED: {
    title: 'Nicht ausgeführt',
    text: 'Dafür müssen Sie bestätigen, dass Sie es sind. Es hat sich nichts geändert.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'Nicht ausgeführt',
    text: 'Dafür ist Ihr Passkey oder ein Einmalcode nötig. Es hat sich nichts geändert.',
  },
  stillSignedIn: 'Es ist nichts verloren gegangen, und Sie sind weiterhin angemeldet.',
  failed: {
    title: 'Etwas ist schiefgegangen',
    text: 'Der Fehler liegt bei uns. Versuchen Sie es erneut. Wenn er wieder auftritt, wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Unter dieser Adresse gibt es nichts. Der Link ist vielleicht veraltet oder enthält einen Tippfehler.',
  },
};

export const wrongAddress: Translated<typeof english.wrongAddress> = {
  title: 'Dies ist nicht die Adresse dieses Dienstes',
  text: 'Sie sind bei {here}, wo Ihr Browser keine Anmeldung behält. Fahren Sie fort bei <right>{there}</right>.',
};
