/** The messages of ../../en/sign-in/password-review.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/password-review.ts';

export const passwordReview: Translated<typeof english.passwordReview> = {
  someProvider: 'votre fournisseur',
  title: 'Avez-vous défini le mot de passe de ce compte ?',
  text: 'Ce compte est maintenant associé à {provider}, parce que l’adresse est la même. Il a aussi un mot de passe, défini auparavant. Si ce n’était pas vous, une autre personne le connaît peut-être : retirez-le.',
  consequence:
    'Le retirer déconnecte tous les autres appareils et clients. Vous vous connecterez ensuite avec {provider}.',
  remove: 'Retirer le mot de passe',
  keep: 'C’était moi : le garder',
  removed:
    'Le mot de passe est retiré, et tous les autres appareils sont déconnectés. Vous vous connecterez désormais avec {provider}.',
  kept: 'Le mot de passe est conservé. Vous pouvez vous connecter avec lui ou avec {provider}.',
};
