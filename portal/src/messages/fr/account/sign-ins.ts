/** The messages of ../../en/account/sign-ins.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/sign-ins.ts';

export const recentSignIns: Translated<typeof english.recentSignIns> = {
  title: 'Connexions récentes',
  lead: 'Les tentatives de connexion à votre compte, y compris celles qui ont été refusées. Si vous n’en reconnaissez pas une qui a réussi, déconnectez-vous partout et changez votre mot de passe.',
  none: 'Aucune connexion n’est enregistrée pour les derniers jours.',
  shown: 'Affichage : {shown, number} sur {total, number}',
  shownOfMore: 'Affichage : {shown, number} sur plus de {total, number}',
  unlisted:
    '{count, plural, one {# tentative refusée est comptée mais pas affichée} other {# tentatives refusées sont comptées mais pas affichées}}, car il y en a eu plus de cent en un jour.',
  succeeded: 'Réussie',
  refused: 'Refusée',
  addressUnknown: 'Adresse inconnue',
  methods: {
    password: 'Mot de passe',
    passkey: 'Clé d’accès',
    google: '{provider}',
    invitation: 'Invitation',
    other: 'Autre moyen',
  },
  reasons: {
    INVALID_CREDENTIALS: 'Mot de passe, code ou clé d’accès incorrects',
    SECOND_FACTOR_REQUIRED: 'Un second facteur a été demandé',
    CHALLENGE_REFUSED: 'A pris trop de temps, ou était déjà achevée',
    EXCHANGE_REFUSED: 'A pris trop de temps, ou était déjà achevée',
    EMAIL_NOT_VERIFIED: 'L’adresse e-mail n’était pas confirmée',
    ACCOUNT_SUSPENDED: 'Le compte était suspendu',
    ACCOUNT_MISMATCH: 'Une autre personne était connectée',
    ACCOUNT_EXISTS: 'Le fournisseur ne se porte pas garant de l’adresse',
    ACCOUNT_HAS_OTHER_IDENTITY: 'Un autre compte chez le fournisseur',
    INVITATION_NOT_OPEN: 'L’invitation n’était pas ouverte',
    other: 'Refusée',
  },
};
