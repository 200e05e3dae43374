/** The messages of ../../en/account/email-change.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/email-change.ts';

export const emailChange: Translated<typeof english.emailChange> = {
  title: 'Utiliser votre nouvelle adresse e-mail ?',
  lead: 'Le compte auquel vous êtes connecté en tant que <who>{email}</who> aura l’adresse à laquelle ce lien a été envoyé.',
  effect:
    'Vous l’utiliserez ensuite pour vous connecter, et elle recevra les messages du compte. L’adresse actuelle recevra un message qui permettra d’annuler la modification pendant 72 heures. L’ouverture de cette page n’a encore rien changé.',
  submit: 'Utiliser la nouvelle adresse',
  later: 'Pas maintenant',
  done: {
    title: 'Votre adresse est modifiée',
    text: 'Votre compte a maintenant l’adresse <who>{email}</who>. Vous l’utiliserez désormais pour vous connecter.',
    submit: 'Voir votre compte',
  },
  signIn: {
    title: 'Connectez-vous pour modifier votre adresse',
    text: 'Ce lien donne à votre compte une nouvelle adresse e-mail. Connectez-vous d’abord au compte avec son adresse actuelle ; vous reviendrez ensuite ici.',
    submit: 'Se connecter',
  },
  otherAccount: {
    title: 'Ce lien est destiné à un autre compte',
    text: 'Vous êtes connecté en tant que <who>{email}</who>. Déconnectez-vous, puis connectez-vous au compte pour lequel la nouvelle adresse a été demandée. Le lien reste valable.',
    submit: 'Se déconnecter et utiliser l’autre compte',
    stay: 'Rester connecté',
  },
  notOpen: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il fonctionne une seule fois, pendant 24 heures. Il a peut-être déjà servi, une autre adresse a pu être demandée depuis, votre mot de passe a pu changer, ou l’adresse a peut-être désormais un compte. Votre compte est inchangé : demandez de nouveau la modification.',
    submit: 'Voir votre compte',
  },
};

export const emailUndo: Translated<typeof english.emailUndo> = {
  title: 'Annuler la modification de votre adresse ?',
  lead: 'L’adresse e-mail de votre compte a été modifiée. Si ce n’était pas vous, annulez cette modification ici.',
  effects: {
    address:
      'Votre compte retrouve son ancienne adresse, ainsi que le mot de passe, les clés d’accès, les codes à usage unique et les associations à un fournisseur qu’il avait 72 heures avant la demande de modification.',
    added: 'Ce qui a été ajouté depuis est retiré.',
    sessions: 'Tous les appareils et clients sont déconnectés. Vous vous reconnecterez ensuite.',
  },
  unchanged: 'L’ouverture de cette page n’a encore rien changé.',
  submit: 'Annuler la modification',
  done: {
    title: 'La modification est annulée',
    text: 'Votre compte a retrouvé son ancienne adresse et son ancien mot de passe, et tous les appareils sont déconnectés. Connectez-vous et changez de mot de passe : une autre personne le connaît peut-être.',
    submit: 'Se connecter',
  },
  notOpen: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il fonctionne une seule fois, pendant 72 heures après la modification. Si une autre personne a votre compte et que ce délai est passé, adressez-vous à l’exploitant de ce service.',
  },
};
