/** The messages of ../../en/account/one-time-codes.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/one-time-codes.ts';

export const oneTimeCodes: Translated<typeof english.oneTimeCodes> = {
  title: 'Einmalcodes',
  lead: 'Nach Ihrem Passwort wird bei der Anmeldung ein Code einer Authenticator-App verlangt.',
  off: 'Aus',
  offText: 'Wer Ihr Passwort kennt, kann sich damit allein anmelden.',
  on: 'Ein',
  recoveryCodesLeft:
    '{count, plural, =0 {Kein Wiederherstellungscode ist übrig. Erstellen Sie neue.} one {# Wiederherstellungscode ist übrig.} other {# Wiederherstellungscodes sind übrig.}}',
  setUp: 'Einrichten',
  useOtherApp: 'Andere App verwenden',
  newRecoveryCodes: 'Neue Wiederherstellungscodes',
  turnOff: 'Ausschalten',
  turnedOff: 'Einmalcodes sind ausgeschaltet. Sie melden sich ab jetzt ohne sie an.',
  setUpTitle: 'Einmalcodes einrichten',
  scan: 'Scannen Sie das mit Ihrer Authenticator-App.',
  qrCode: 'QR-Code für Ihre Authenticator-App',
  byHand: 'Oder geben Sie diesen Schlüssel in der App ein:',
  open: 'App auf diesem Gerät öffnen',
  code: 'Sechsstelliger Code, den die App anzeigt',
  wrongCode:
    'Der Code ist falsch. Prüfen Sie, ob die Uhr Ihres Geräts richtig geht, und geben Sie den neuesten Code ein.',
  expired:
    'Das hat länger als zehn Minuten gedauert oder wurde anderswo neu begonnen. Beginnen Sie mit einem neuen QR-Code von vorn.',
  startAgain: 'Von vorn beginnen',
  confirm: 'Einschalten',
  codesTitle: 'Bewahren Sie diese Wiederherstellungscodes auf',
  codesLead:
    'Mit jedem können Sie sich einmal anmelden, wenn Sie Ihre App nicht zur Hand haben. Sie werden nur jetzt angezeigt. Bewahren Sie sie dort auf, wo nur Sie sie finden, und nicht auf dem Gerät mit der App.',
  codesOf: 'Wiederherstellungscodes von {email} bei {application}',
  copy: 'Kopieren',
  copied: 'Die Codes sind kopiert.',
  notCopied: 'Der Browser hat das Kopieren nicht erlaubt. Markieren Sie die Codes, oder laden Sie sie herunter.',
  download: 'Herunterladen',
  print: 'Drucken',
  done: 'Ich habe sie gesichert',
  confirmOff: {
    title: 'Einmalcodes ausschalten?',
    text: 'Sie melden sich dann ohne Code an. Ihre Wiederherstellungscodes gelten nicht mehr.',
    submit: 'Ausschalten',
  },
  confirmNew: {
    title: 'Neue Wiederherstellungscodes erstellen?',
    text: 'Die Wiederherstellungscodes, die Sie jetzt haben, gelten dann nicht mehr.',
    submit: 'Neue Codes erstellen',
  },
};

export const secondFactor: Translated<typeof english.secondFactor> = {
  title: 'Geben Sie Ihren Code ein',
  lead: 'Ihr Konto verlangt einen Code Ihrer Authenticator-App.',
  leadRecovery: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt einmal.',
  code: 'Sechsstelliger Code',
  recoveryCode: 'Wiederherstellungscode',
  submit: 'Anmelden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  useApp: 'Code der App verwenden',
  noRecoveryCode: 'Keiner Ihrer Wiederherstellungscodes ist übrig.',
  passkey: 'Sie können auch neu beginnen und sich mit Ihrem Passkey anmelden.',
  wrong: 'Der Code ist falsch oder wurde schon benutzt.',
  limited: 'Es gab zu viele falsche Codes. Warten Sie {minutes, plural, one {# Minute} other {# Minuten}}.',
  limitedRecovery: 'Ein Wiederherstellungscode funktioniert währenddessen.',
  overTitle: 'Diese Anmeldung ist beendet',
  over: 'Sie hat länger als fünf Minuten gedauert, oder es gab zu viele falsche Codes. Es hat sich nichts geändert.',
  startAgain: 'Erneut anmelden',
  lost: 'Sie haben weder die App noch einen Wiederherstellungscode?',
  lostText:
    'Nur der Betreiber dieses Dienstes kann die Codes Ihres Kontos entfernen, sobald feststeht, dass wirklich Sie darum bitten.',
  support: 'Hilfe anfordern',
};
