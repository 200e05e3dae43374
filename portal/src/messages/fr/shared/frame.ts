/** The messages of ../../en/shared/frame.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/frame.ts';

export const frame: Translated<typeof english.frame> = {
  skip: 'Aller au contenu',
  navigation: 'Navigation principale',
  home: 'Accueil',
  account: 'Compte',
  members: 'Membres',
  plan: 'Forfait',
  console: 'Console',
  signOut: 'Se déconnecter',
  signedInAs: 'Connecté en tant que {email}',
  notSignedOut: {
    title: 'Vous êtes toujours connecté',
    text: 'La déconnexion nécessite d’être en ligne. Cliquez de nouveau sur « Se déconnecter » quand ce sera le cas.',
  },
};

export const lists: Translated<typeof english.lists> = {
  showMore: 'Afficher plus',
  reload: 'Actualiser',
  clear: 'Effacer les filtres',
  any: 'Tous',
};

export const switcher: Translated<typeof english.switcher> = {
  label: 'Organisation :',
  none: 'Aucune organisation',
  yours: 'Vos organisations',
  create: 'Créer une organisation',
  switched: 'Vous êtes maintenant dans {name}.',
  notSwitched: 'Vous êtes dans {name}.',
};

export const noOrganization: Translated<typeof english.noOrganization> = {
  title: 'Aucune organisation n’est active',
  choose: 'Choisissez celle dans laquelle vous voulez travailler.',
  open: 'Ouvrir {name}',
  none: 'Vous n’appartenez à aucune organisation. Créez-en une, ou demandez à un membre d’une autre organisation de vous inviter : le lien de l’invitation vous permet de la rejoindre.',
  create: 'Créer une organisation',
};
