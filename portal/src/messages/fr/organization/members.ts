/** The messages of ../../en/organization/members.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/members.ts';

export const members: Translated<typeof english.members> = {
  security: 'Sécurité de l’organisation',
  tokens: 'Jetons et comptes de service',
  clients: 'Clients connectés',
  audit: 'Journal d’audit',
  title: 'Membres',
  lead: 'Qui appartient à {organization}, et qui est invité.',
  left: 'Vous avez quitté {organization}.',
  list: 'Personnes',
  search: 'Rechercher par nom ou adresse',
  shown: '{total, plural, one {# personne} other {# personnes}}',
  shownOf: 'Affichage : {shown, number} sur {total, number}',
  noMatches: 'Aucun membre n’a « {search} » dans son nom ou son adresse.',
  role: 'Rôle :',
  status: 'Statut :',
  statuses: { JOINED: 'Membres', INVITED: 'Invitations', EXPIRED: 'Invitations expirées' },
  columns: { person: 'Personne', role: 'Rôle', since: 'Depuis', actions: 'Actions' },
  seats:
    '{members, plural, one {# membre} other {# membres}} et {open, plural, one {# invitation ouverte} other {# invitations ouvertes}}',
  seatsOf:
    'Places occupées : {taken, number} sur {limit, number} ({members, plural, one {# membre} other {# membres}} et {open, plural, one {# invitation ouverte} other {# invitations ouvertes}})',
  noFilterMatches: 'Aucun membre ne correspond à ces filtres.',
  clearSearch: 'Afficher tous les membres',
  you: 'Vous',
  invited: 'Invitation envoyée',
  expired: 'Invitation expirée',
  joined: 'Membre depuis le {date}',
  openUntil: 'Invitation ouverte jusqu’au {date}',
  expiredOn: 'Le lien a expiré le {date}',
  roleOf: 'Rôle de {person} :',
  actionsFor: 'Actions pour {person}',
};

export const memberActions: Translated<typeof english.memberActions> = {
  resend: 'Renvoyer l’invitation',
  withdraw: 'Retirer l’invitation',
  remove: 'Retirer de l’organisation',
  leave: 'Quitter l’organisation',
  done: {
    resend: 'Un nouveau lien est en route vers {email}. Le lien précédent ne fonctionne plus.',
    withdraw: 'L’invitation envoyée à {email} est retirée. Son lien ne fonctionne plus.',
    remove: '{person} n’est plus membre.',
    leave: 'Vous avez quitté {organization}.',
    role: '{person} a maintenant le rôle {role}.',
  },
  confirm: {
    withdraw: {
      title: 'Retirer l’invitation envoyée à {email} ?',
      text: 'Le lien du message cesse aussitôt de fonctionner. Vous pouvez réinviter cette adresse à tout moment.',
      submit: 'Retirer l’invitation',
    },
    remove: {
      title: 'Retirer {person} de {organization} ?',
      text: 'Toutes les sessions de {email} dans cette organisation prennent fin aussitôt. Le compte lui-même est conservé, et vous pouvez le réinviter.',
      textWithTokens:
        'Toutes les sessions et tous les jetons personnels de {email} dans cette organisation prennent fin aussitôt. Le compte lui-même est conservé, et vous pouvez le réinviter.',
      submit: 'Retirer le membre',
    },
    leave: {
      title: 'Quitter {organization} ?',
      text: 'Vos sessions y prennent fin aussitôt : vous devrez peut-être vous reconnecter. Vous ne pourrez revenir qu’avec une nouvelle invitation.',
      textWithTokens:
        'Vos sessions et vos jetons personnels y prennent fin aussitôt : vous devrez peut-être vous reconnecter. Vous ne pourrez revenir qu’avec une nouvelle invitation.',
      submit: 'Quitter l’organisation',
    },
    makeOwner: {
      title: 'Nommer {person} propriétaire ?',
      text: 'Les propriétaires peuvent tout faire dans {organization} : modifier son nom et son forfait, et modifier le rôle de tout membre ou le retirer, vous compris.',
      submit: 'Nommer propriétaire',
    },
    unmakeOwner: {
      title: 'Retirer à {person} le rôle de propriétaire ?',
      text: '{email} aura le rôle {role}. Ses sessions restent actives, mais ne permettent plus ce qui est réservé aux propriétaires.',
      submit: 'Modifier le rôle',
    },
    ownRole: {
      title: 'Modifier votre propre rôle ?',
      text: 'Vous aurez désormais le rôle {role}. Seul un autre membre peut vous rendre votre rôle actuel.',
      submit: 'Modifier mon rôle',
    },
  },
};

export const invite: Translated<typeof english.invite> = {
  open: 'Inviter un membre',
  title: 'Inviter un membre',
  lead: 'La personne reçoit un e-mail contenant un lien. Il fonctionne une seule fois, et pour elle seule.',
  titleMany: 'Inviter plusieurs personnes',
  leadMany: 'Collez jusqu’à 200 adresses e-mail. Avant tout envoi, vous voyez ce qui arriverait à chacune.',
  many: 'Inviter plusieurs personnes à la fois',
  one: 'Inviter une personne',
  role: 'Rôle',
  roles: {
    MEMBER: 'Voit qui appartient à l’organisation.',
    ADMIN: 'Invite et retire des personnes et modifie leur rôle, sauf pour les propriétaires.',
    OWNER: 'Peut tout faire, y compris modifier le nom et le forfait.',
  },
  noScopes: 'Peut seulement se connecter à l’organisation.',
  alsoScopes: '{text} Également : {scopes}.',
  moreScopes: '{scopes} · et {count, number} de plus',
  seats: {
    owner: 'Voir le forfait',
    other: 'Demandez un forfait supérieur à un propriétaire de {organization}.',
  },
  submit: 'Envoyer l’invitation',
  sent: 'L’invitation est en route',
  sentTo: 'Elle est envoyée à <address>{email}</address> et apparaît dans la liste ci-dessous.',
  openUntil: 'Le lien qu’elle contient fonctionne jusqu’au {date}.',
};

export const membersForbidden: Translated<typeof english.membersForbidden> = {
  title: 'Vous ne pouvez pas voir les membres',
  text: 'Vous appartenez à {organization}, mais vous ne pouvez pas voir ses autres membres pour le moment.',
  why: 'Pourquoi :',
  plan: 'Voir le forfait',
};
