/** The messages of ../../en/sign-in/sign-in.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-in.ts';

export const signIn: Translated<typeof english.signIn> = {
  title: 'Anmelden',
  lead: 'Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.',
  leadWithProvider: 'Fahren Sie mit {provider} fort, oder geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.',
  submit: 'Anmelden',
  newHere: 'Neu hier?',
  createAccount: 'Konto erstellen',
  confirmed:
    'Ihre Adresse ist bestätigt. Melden Sie sich mit dem Passwort an, das Sie bei der ersten Registrierung gewählt haben.',
  refused: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  noAnswer:
    'Der Dienst hat nicht rechtzeitig geantwortet. Sie sind möglicherweise nicht angemeldet: Versuchen Sie es gleich noch einmal.',
  notVerifiedTitle: 'Ihre E-Mail-Adresse ist noch nicht bestätigt',
  notVerified:
    'Öffnen Sie den Link in der Nachricht, die wir Ihnen gesendet haben. Wenn Sie sie nicht finden, registrieren Sie sich erneut mit derselben Adresse: Wir senden dann einen neuen Link, höchstens einmal pro Stunde.',
  signUpAgain: 'Erneut registrieren',
  forgotten: {
    question: 'Passwort vergessen?',
    passkey: 'Wenn Ihr Konto einen Passkey hat, melden Sie sich damit an: Dafür ist kein Passwort nötig.',
    provider:
      'Wenn Ihr Konto mit {provider} verbunden ist, fahren Sie mit {provider} fort: Dafür ist hier kein Passwort nötig.',
    passkeyOrProvider:
      'Wenn Ihr Konto einen Passkey hat oder mit {provider} verbunden ist, melden Sie sich auf diesem Weg an: Für beides ist Ihr Passwort nicht nötig.',
    ask: 'Ein Passwort lässt sich nicht per E-Mail zurücksetzen. Für ein neues wenden Sie sich an den Betreiber von {application}.',
    support: 'Hilfe anfordern',
  },
  endings: {
    signedOut: 'Sie haben sich abgemeldet.',
    signedOutEverywhere: 'Sie sind auf allen Geräten abgemeldet.',
    leftOrganization:
      'Sie haben die Organisation verlassen, und damit ist diese Sitzung beendet. Melden Sie sich erneut an, um weiterzumachen.',
    accountDeleted: 'Ihr Konto ist gelöscht.',
    expired: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an, um weiterzumachen.',
  },
};

export const external: Translated<typeof english.external> = {
  unfinished: 'Ihre Anmeldung mit {provider} ist fast abgeschlossen: Nur der letzte Schritt fehlt noch.',
  someProvider: 'dem Anbieter',
  problems: {
    PROVIDER_CANCELLED: 'Sie haben bei {provider} abgebrochen. Es hat sich nichts geändert.',
    PROVIDER_UNAVAILABLE: 'Im Moment kommt von {provider} keine Antwort. Bitte versuchen Sie es gleich noch einmal.',
    PROVIDER_REFUSED:
      'Die Antwort von {provider} war ungültig. Versuchen Sie es erneut. Wenn es wieder geschieht, wenden Sie sich an den Betreiber dieses Dienstes.',
    ATTEMPT_OVER:
      'Dieser Versuch ist beendet: Er hat zu lange gedauert, war schon abgeschlossen oder wurde in einem anderen Browser begonnen. Bitte versuchen Sie es erneut.',
    EXCHANGE_REFUSED:
      'Die Anmeldung hat zu lange gedauert oder war schon abgeschlossen. Bitte versuchen Sie es erneut.',
    EMAIL_MISSING:
      'Ein Konto braucht eine E-Mail-Adresse, aber Ihre wurde von {provider} nicht mitgeteilt. Geben Sie sie dort frei, oder verwenden Sie hier ein Passwort.',
    EMAIL_UNVERIFIED:
      'Ihre E-Mail-Adresse ist bei {provider} noch nicht bestätigt. Bestätigen Sie sie dort, oder verwenden Sie hier ein Passwort.',
    ACCOUNT_HAS_OTHER_IDENTITY:
      'Das Konto hier mit Ihrer E-Mail-Adresse ist mit einem anderen Konto bei {provider} verbunden. Fahren Sie mit jenem fort, oder verwenden Sie Ihr Passwort.',
    ACCOUNT_EXISTS:
      'Es gibt schon ein Konto mit dieser Adresse. Melden Sie sich mit dessen Passwort an, und verbinden Sie es dann unter „Anmeldemöglichkeiten“ mit {provider}.',
    ACCOUNT_SUSPENDED:
      'Ihr Konto ist gesperrt: Sie können sich nicht anmelden, bis die Sperre aufgehoben ist. Wenden Sie sich an den Betreiber dieses Dienstes.',
    IDENTITY_TAKEN:
      'Das gewählte Konto bei {provider} ist hier mit einem anderen Konto verbunden. Wählen Sie ein anderes, oder melden Sie sich zuerst bei jenem Konto an, und trennen Sie dort die Verbindung.',
    LINK_SESSION_OVER:
      'Ihre Sitzung endete vor der Verbindung mit {provider}, oder eine andere Person hat sich hier angemeldet. Es wurde nichts verbunden.',
    LINK_DECLINED:
      'Sie haben Ihr Konto bei {provider} nicht verbunden, deshalb hat sich nichts geändert. Um sich damit anzumelden, wählen Sie es erneut.',
    RATE_LIMITED: 'Es gab zu viele Versuche. Bitte warten Sie einen Moment, und versuchen Sie es dann erneut.',
    UNAVAILABLE: 'Der Dienst kann im Moment nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
    ACCOUNT_MISMATCH:
      'In diesem Moment war hier eine andere Person angemeldet, deshalb wurde nichts geändert. Bitte versuchen Sie es erneut.',
    other:
      'Es ist nicht gelungen, mit {provider} fortzufahren. Versuchen Sie es erneut. Wenn es wieder geschieht, wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  signedIn: {
    title: 'Das hat nicht funktioniert',
    cancelledTitle: 'Es hat sich nichts geändert',
    mismatchTitle: 'Sie sind schon angemeldet',
    mismatch:
      'Sie sind als <who>{email}</who> angemeldet. Das gewählte Konto bei {provider} gehört hier zu einem anderen Konto, deshalb wurde nichts geändert.',
    mismatchAdvice: 'Um das andere Konto zu verwenden, melden Sie sich ab und dann neu an.',
    otherIdentity:
      'Ihr Konto hier ist schon mit einem anderen Konto bei {provider} verbunden. Trennen Sie jenes zuerst.',
    continueAs: 'Weiter als {name}',
    signOut: 'Abmelden',
  },
};
