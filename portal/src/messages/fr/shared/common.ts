/** The messages of ../../en/shared/common.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/common.ts';

export const common: Translated<typeof english.common> = {
  loading: 'Chargement',
  takesLonger: 'Cela prend plus de temps que d’habitude. Veuillez patienter.',
  tryAgain: 'Réessayer',
  cancel: 'Annuler',
  close: 'Fermer',
  toSignIn: 'Aller à la connexion',
  toStart: 'Aller à la page d’accueil',
  openMailbox: 'Ouvrir la messagerie de développement',
  reference: 'Référence',
  language: 'Langue',
  links: { support: 'Assistance', terms: 'Conditions', privacy: 'Confidentialité' },
};

export const roles: Translated<typeof english.roles> = {
  OWNER: 'Propriétaire',
  ADMIN: 'Administrateur',
  MEMBER: 'Membre',
};

export const fields: Translated<typeof english.fields> = {
  name: 'Nom',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  showPassword: 'Afficher le mot de passe',
  nameMissing: 'Saisissez votre nom.',
  organizationNameMissing: 'Saisissez un nom pour l’organisation.',
  emailMissing: 'Saisissez votre adresse e-mail.',
  inviteeEmailMissing: 'Saisissez l’adresse e-mail de la personne que vous invitez.',
  emailShape: 'Cela ne ressemble pas à une adresse e-mail.',
  passwordMissing: 'Saisissez votre mot de passe.',
  codeMissing: 'Saisissez le code.',
  passwordTooWeak: 'Ce mot de passe ne satisfait pas à toutes les exigences ci-dessous.',
  passwordTooManyBytes: 'Ce mot de passe dépasse 72 octets. Utilisez moins d’émojis ou de caractères accentués.',
};

export const failures: Translated<typeof english.failures> = {
  OFFLINE: {
    title: 'Pas de connexion',
    text: 'Le service n’a pas pu être joint. Vérifiez votre connexion et réessayez.',
  },
  noAnswer: {
    title: 'Pas de réponse à temps',
    text: 'Le service est très occupé. Votre demande a peut-être abouti, ou va aboutir dans un instant : vérifiez avant de réessayer.',
  },
  UNAVAILABLE: {
    title: 'Indisponible pour le moment',
    text: 'Le service ne peut pas répondre en ce moment. Veuillez réessayer dans un instant.',
  },
  RATE_LIMITED: {
    title: 'Trop de tentatives',
    text: 'Veuillez patienter {seconds, plural, =0 {un instant} one {# seconde} other {# secondes}}, puis réessayer.',
  },
  ACCOUNT_SUSPENDED: {
    title: 'Votre compte est suspendu',
    text: 'Vous ne pouvez pas vous connecter tant qu’il n’est pas rétabli. Adressez-vous à l’exploitant de ce service.',
  },
  FORBIDDEN: {
    title: 'Non autorisé',
    text: 'Votre rôle ou le forfait de votre organisation ne le permet pas. L’un des deux vient peut-être de changer.',
  },
  MEMBERSHIP_REQUIRED: {
    title: 'Aucune organisation n’est active',
    text: 'Vous n’appartenez plus à l’organisation, ou n’en avez pas encore choisi.',
  },
  NOT_FOUND: {
    title: 'Cela n’existe plus',
    text: 'L’élément a peut-être été supprimé entre-temps. Cette page affiche maintenant l’état actuel.',
  },
  INVITATION_NOT_OPEN: {
    title: 'L’invitation n’est plus ouverte',
    text: 'Elle a été acceptée ou retirée entre-temps. Cette page affiche maintenant l’état actuel.',
  },
  LAST_OWNER: {
    title: 'Une organisation a besoin d’un propriétaire',
    text: 'Celle-ci n’en a pas d’autre. Nommez d’abord un autre membre propriétaire.',
  },
  SEATS_EXHAUSTED: {
    title: 'Aucune place n’est libre',
    text: 'Les membres et les invitations ouvertes occupent toutes les places du forfait de l’organisation. Retirer un membre ou une invitation, ou choisir un forfait supérieur, libère de la place.',
  },
  REAUTHENTICATION_REQUIRED: {
    title: 'Non effectué',
    text: 'Vous devez pour cela confirmer votre identité. Rien n’a changé.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'Non effectué',
    text: 'Il faut pour cela votre clé d’accès ou un code à usage unique. Rien n’a changé.',
  },
  stillSignedIn: 'Rien n’est perdu et vous êtes toujours connecté.',
  failed: {
    title: 'Une erreur s’est produite',
    text: 'Le problème vient de nous. Réessayez. S’il se reproduit, adressez-vous à l’exploitant de ce service.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Il n’y a rien à cette adresse. Le lien est peut-être ancien ou mal saisi.',
  },
};

export const wrongAddress: Translated<typeof english.wrongAddress> = {
  title: 'Ce n’est pas l’adresse de ce service',
  text: 'Vous êtes sur {here}, où votre navigateur ne conserve aucune connexion. Continuez sur <right>{there}</right>.',
};
