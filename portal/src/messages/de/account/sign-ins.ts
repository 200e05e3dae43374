/** The messages of ../../en/account/sign-ins.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/sign-ins.ts';

export const recentSignIns: Translated<typeof english.recentSignIns> = {
  title: 'Letzte Anmeldungen',
  lead: 'Versuche, sich bei Ihrem Konto anzumelden, auch abgelehnte. Wenn Sie einen erfolgreichen Versuch nicht wiedererkennen, melden Sie sich überall ab, und ändern Sie Ihr Passwort.',
  none: 'Aus den letzten Tagen ist keine Anmeldung aufgezeichnet.',
  shown: '{shown, number} von {total, number} angezeigt',
  shownOfMore: '{shown, number} von mehr als {total, number} angezeigt',
  unlisted:
    '{count, plural, one {# abgelehnter Versuch ist gezählt, aber nicht aufgeführt} other {# abgelehnte Versuche sind gezählt, aber nicht aufgeführt}}, weil es an einem Tag mehr als hundert waren.',
  succeeded: 'Angemeldet',
  refused: 'Abgelehnt',
  addressUnknown: 'Unbekannte Adresse',
  methods: {
    password: 'Passwort',
    passkey: 'Passkey',
    google: '{provider}',
    invitation: 'Einladung',
    other: 'Andere Art',
  },
  reasons: {
    INVALID_CREDENTIALS: 'Falsches Passwort, falscher Code oder falscher Passkey',
    SECOND_FACTOR_REQUIRED: 'Ein zweiter Faktor wurde verlangt',
    CHALLENGE_REFUSED: 'Dauerte zu lange oder war schon abgeschlossen',
    EXCHANGE_REFUSED: 'Dauerte zu lange oder war schon abgeschlossen',
    EMAIL_NOT_VERIFIED: 'Die E-Mail-Adresse war nicht bestätigt',
    ACCOUNT_SUSPENDED: 'Das Konto war gesperrt',
    ACCOUNT_MISMATCH: 'Eine andere Person war angemeldet',
    ACCOUNT_EXISTS: 'Der Anbieter bürgt nicht für die Adresse',
    ACCOUNT_HAS_OTHER_IDENTITY: 'Ein anderes Konto beim Anbieter',
    INVITATION_NOT_OPEN: 'Die Einladung war nicht offen',
    other: 'Abgelehnt',
  },
};
