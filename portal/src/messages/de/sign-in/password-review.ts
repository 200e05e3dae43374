/** The messages of ../../en/sign-in/password-review.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/password-review.ts';

export const passwordReview: Translated<typeof english.passwordReview> = {
  someProvider: 'dem Anbieter',
  title: 'Haben Sie das Passwort dieses Kontos festgelegt?',
  text: 'Dieses Konto ist jetzt mit {provider} verbunden, weil die Adresse dieselbe ist. Es hat auch ein Passwort, das vorher festgelegt wurde. Wenn das nicht Sie waren, kennt es vielleicht eine andere Person: Entfernen Sie es.',
  consequence:
    'Wenn Sie es entfernen, werden alle anderen Geräte und Clients abgemeldet. Danach melden Sie sich mit {provider} an.',
  remove: 'Passwort entfernen',
  keep: 'Ich habe es festgelegt: behalten',
  removed:
    'Das Passwort ist entfernt, und alle anderen Geräte sind abgemeldet. Sie melden sich ab jetzt mit {provider} an.',
  kept: 'Das Passwort bleibt. Sie können sich damit oder mit {provider} anmelden.',
};
