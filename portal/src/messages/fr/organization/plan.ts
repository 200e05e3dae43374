/** The messages of ../../en/organization/plan.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/plan.ts';

export const plan: Translated<typeof english.plan> = {
  title: 'Forfait',
  lead: 'Le forfait de {organization}, et ce que ses membres peuvent faire avec lui.',
  current: {
    title: 'Forfait actuel',
    none: 'Aucun forfait',
    unnamed: 'Un forfait sans nom',
    trialEnds: 'L’essai se termine le {date}.',
    trialEnded: 'L’essai s’est terminé le {date}.',
    periodEnds: 'La période en cours se termine le {date}.',
    periodEnded: 'La dernière période s’est terminée le {date}.',
  },
  NONE: {
    badge: 'Sans abonnement',
    meaning:
      'L’organisation n’a pas de forfait : les fonctions qui en nécessitent un ne sont pas disponibles. Les comptes, la connexion et les invitations reçues fonctionnent toujours.',
  },
  ACTIVE: {
    badge: 'Actif',
    meaning: 'Les membres peuvent faire ce que le forfait comprend et que leur rôle permet.',
  },
  TRIALING: {
    badge: 'À l’essai',
    meaning: 'Pendant l’essai, les membres peuvent faire ce que le forfait comprend et que leur rôle permet.',
  },
  PAST_DUE: {
    badge: 'Paiement en retard',
    meaning:
      'Un paiement est en retard. Les fonctions du forfait ne sont pas disponibles tant qu’il n’est pas réglé. Les membres gardent leurs comptes et leurs rôles.',
  },
  CANCELED: {
    badge: 'Terminé',
    meaning:
      'Le forfait est terminé : ses fonctions ne sont pas disponibles. Les membres gardent leurs comptes et leurs rôles.',
  },
  change: {
    manage: 'Gérer la facturation',
    manageLead: 'Gérez le moyen de paiement, les factures et la résiliation chez le prestataire de paiement.',
    subscribe: 'S’abonner',
    subscribeTo: 'S’abonner à {product}',
    choose: 'Choisissez un forfait ci-dessous. Vous payez chez le prestataire de paiement, puis revenez ici.',
    awaited: 'Nous attendons la confirmation du prestataire de paiement.',
    noOther: 'Il n’y a pas d’autre forfait à choisir pour le moment.',
    askOwner: 'Les propriétaires de {organization} peuvent changer de forfait. Adressez-vous à l’un d’eux.',
    askOperator:
      'Les forfaits ne peuvent pas être changés sur cette page. Pour changer le vôtre, adressez-vous à l’exploitant de ce service.',
    notForSale: 'Ce forfait ne peut pas être acheté pour le moment. Adressez-vous à l’exploitant de ce service.',
    nothingPaid: 'Cette organisation n’a encore payé aucun forfait. Choisissez-en d’abord un.',
  },
  checkout: {
    done: {
      title: 'Vous avez validé la page de paiement',
      text: 'Le forfait change ici dès que le prestataire de paiement confirme le paiement.',
    },
    cancelled: {
      title: 'Vous avez quitté la page de paiement',
      text: 'Vous n’avez rien acheté, et le forfait n’a pas changé.',
    },
    reload: 'Actualiser',
  },
  allowed: {
    title: 'Ce que vous pouvez faire',
    lead: {
      OWNER: 'Votre rôle et le forfait en décident ensemble. Vous êtes propriétaire de {organization}.',
      ADMIN: 'Votre rôle et le forfait en décident ensemble. Vous êtes administrateur de {organization}.',
      MEMBER: 'Votre rôle et le forfait en décident ensemble. Vous êtes membre de {organization}.',
      other: 'Votre rôle et le forfait en décident ensemble. Votre rôle dans {organization} est {role}.',
    },
    granted: 'autorisé',
    forbidden: 'non autorisé',
    denialReasons: {
      notActive: 'Aucun forfait n’est actif.',
      notIncluded: 'Ce n’est pas compris dans le forfait.',
      role: 'Votre rôle ne le permet pas.',
    },
    reasons: 'Pourquoi',
  },
  products: {
    title: 'Ce que comprend chaque forfait',
    lead: 'Pour les membres dont le rôle le permet.',
    current: 'Forfait actuel',
    nothing: 'Seulement un compte',
    members: '{count, plural, one {jusqu’à # membre} other {jusqu’à # membres}}',
  },
  scopes: {
    MEMBERS_VIEW: 'Voir qui appartient à l’organisation',
    MEMBERS_INVITE: 'Inviter des personnes',
    MEMBERS_UPDATE: 'Modifier les rôles',
    MEMBERS_REMOVE: 'Retirer des personnes',
    ORGANIZATION_UPDATE: 'Renommer l’organisation',
    BILLING_MANAGE: 'Payer et gérer la facturation',
    TOKENS_MANAGE: 'Gérer les jetons et les comptes de service',
    MCP_MANAGE: 'Gérer les clients MCP connectés',
    AUDIT_VIEW: 'Voir le journal d’audit de l’organisation',
  },
};
