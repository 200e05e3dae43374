/** The messages of ../../en/organization/invitation.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invitation.ts';

export const invitation: Translated<typeof english.invitation> = {
  title: 'Invitation',
  join: 'Rejoindre {organization}',
  as: {
    OWNER: 'Vous êtes invité à la rejoindre en tant que propriétaire.',
    ADMIN: 'Vous êtes invité à la rejoindre en tant qu’administrateur.',
    MEMBER: 'Vous êtes invité à la rejoindre en tant que membre.',
    other: 'Vous êtes invité à la rejoindre avec le rôle {role}.',
  },
  openUntil: 'L’invitation est ouverte jusqu’au {date}.',
  completeProfile: {
    lead: 'Choisissez le nom et le mot de passe que vous utiliserez ici.',
    submit: 'Créer un compte et accepter',
    address:
      'Votre compte sera lié à l’adresse à laquelle cette invitation a été envoyée. Si vous en avez déjà un sous une autre adresse, il ne permet pas d’accepter cette invitation : demandez à la personne qui vous a invité d’inviter plutôt cette autre adresse.',
  },
  signIn: {
    lead: 'L’adresse à laquelle cette invitation a été envoyée a déjà un compte. Connectez-vous avec elle, et vous pourrez accepter ici.',
    submit: 'Se connecter pour accepter',
  },
  accept: {
    lead: 'Vous êtes connecté en tant que <who>{email}</who>. Si vous acceptez, vous rejoignez {organization}. Vous restez dans vos autres organisations.',
    submit: 'Accepter l’invitation',
    later: 'Pas maintenant',
  },
  otherAccount: {
    title: 'Cette invitation est destinée à une autre personne',
    lead: 'Vous êtes connecté en tant que <who>{email}</who>, et l’invitation à {organization} a été envoyée à une autre adresse.',
    advice:
      'Si cette adresse est aussi la vôtre, déconnectez-vous ici et continuez avec elle. Sinon, demandez à la personne qui vous a invité d’inviter l’adresse que vous utilisez.',
    submit: 'Se déconnecter et continuer',
    stay: 'Rester connecté',
  },
  EXPIRED: {
    title: 'Cette invitation a expiré',
    text: 'Elle vous invitait à rejoindre {organization}. Demandez à la personne qui l’a envoyée de la renvoyer : un nouveau lien arrive alors à la même adresse.',
  },
  ACCEPTED: {
    title: 'Cette invitation a été acceptée',
    text: 'Le lien fonctionne une seule fois, et a déjà servi à rejoindre {organization}.',
    visitor: 'Si c’était vous, connectez-vous comme d’habitude.',
    signedIn: 'Si c’était vous, il ne vous reste rien à faire.',
  },
  unknown: {
    title: 'Cette invitation ne fonctionne pas',
    text: 'Elle a peut-être été retirée, ou remplacée par un message plus récent : cherchez-le et utilisez son lien. S’il n’y en a pas, demandez à la personne qui vous a invité de renvoyer l’invitation.',
  },
  seats:
    'Demandez à la personne qui vous a invité de libérer une place. L’invitation reste ouverte, et vous pourrez alors l’accepter ici.',
  changed: 'L’invitation a changé entre-temps. Cette page affiche maintenant son état actuel.',
};
