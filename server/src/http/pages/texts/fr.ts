/** The pages in French, which says « vous ». */
import type { PageTexts } from '../page-texts.ts';

const signedInAs = 'Vous êtes connecté en tant que';
const startAgain = 'Revenez à votre client et relancez la connexion.';
const notUnderstood = 'Cette demande est incompréhensible';

export const texts: PageTexts = {
  consent: {
    title: 'Autoriser l’accès ?',
    heading: 'Autoriser {client} à agir pour vous ?',
    unverified:
      'Le client a choisi ce nom lors de son enregistrement ; il n’est pas vérifié. N’autorisez l’accès que si vous venez de lancer vous-même la connexion.',
    document:
      'Un document de {host} décrit ce client et lui donne ce nom. N’autorisez l’accès que si vous venez de lancer vous-même la connexion.',
    documentOfLoopback:
      'Votre réponse est envoyée à un programme de cet ordinateur, et tout programme d’ici peut présenter le document de {host} comme le sien. Ne continuez que si vous venez de lancer vous-même la connexion, dans un programme auquel vous faites confiance.',
    signedInAs,
    otherAccount:
      'Ce n’est pas vous ? <signOut>Déconnectez-vous dans le portail</signOut>, puis reconnectez-vous depuis votre client.',
    target: 'Votre réponse est envoyée à',
    localApp: 'Une application de cet ordinateur',
    scopes: 'Il pourra',
    changes: 'Modifie',
    idle: 'Ces autorisations n’ajoutent rien ici : elles ne valent que dans le portail',
    narrowed: 'Il a aussi demandé des autorisations que vous n’avez pas. Il ne les obtient pas.',
    time: 'Pour combien de temps',
    lifetime:
      '{time} au maximum. Vous pouvez y mettre fin à tout moment dans le portail, parmi <devices>vos appareils</devices> ; tout super-administrateur qui peut mettre fin aux sessions le peut aussi.',
    refuse: 'Refuser',
    allow: 'Autoriser',
  },
  scopes: {
    'sessions:revoke': 'Déconnecter toute personne, sur un appareil ou partout',
    'users:suspend':
      'Suspendre des comptes, avec lesquels il n’est alors plus possible de se connecter, et les rétablir',
    'invitations:manage': 'Renvoyer des invitations et les retirer',
    'mcp:whoami': 'Voir qui vous êtes et ce que vous pouvez faire ici',
    'sessions:view': 'Voir qui est connecté, depuis quand et d’où',
    'users:view': 'Trouver des personnes et voir leurs noms, adresses e-mail et organisations',
    'organizations:view': 'Voir chaque organisation, son forfait, ses membres et ses invitations ouvertes',
    'mcp:access:view': 'Voir quels clients MCP sont enregistrés et quand ils ont été utilisés pour la dernière fois',
  },
  organization: {
    heading: 'Autoriser {client} à agir pour vous dans {organization} ?',
    organization: 'Organisation',
    choose: 'En choisir une autre',
    organizationOnly: 'Il obtient l’accès à cette organisation seulement. Une autre demande une autre connexion.',
    resource: 'Accès à',
    missing: 'Il demande aussi ces autorisations, et ne les obtient pas',
    missingRole: 'Votre rôle ici, {role}, ne l’accorde pas.',
    missingPlan: 'L’offre de l’organisation ne le comprend pas.',
    missingPayment: 'L’abonnement de l’organisation n’est pas actif : il n’accorde rien.',
    lifetime:
      'Pendant {time} au plus. Vous pouvez y mettre fin à tout moment dans le portail, parmi <clients>vos clients connectés</clients>. Il prend fin lorsque vous quittez l’organisation, et ses administrateurs peuvent aussi y mettre fin.',
    notAccepted:
      '{organization} n’accepte pas ce client. Un propriétaire ou un administrateur peut changer cela dans le portail, parmi les clients MCP de l’organisation.',
    nothingHeld: 'Vous n’avez dans {organization} aucune des autorisations que ce client demande.',
    secondFactor:
      '{organization} exige un second facteur, et vous n’en avez utilisé aucun dans cette session. <confirm>Confirmez avec l’un d’eux</confirm> ou choisissez une autre organisation.',
    accountHeading: 'Vous ne pouvez pas connecter {client} avec ce compte',
    accountLead: 'Ce client demande l’accès à une organisation, et le compte connecté ici n’appartient à aucune.',
  },
  organizationScopes: {
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
  account: {
    title: 'Un autre compte est nécessaire',
    heading: 'Seul un super-administrateur peut connecter {client}',
    lead: 'Le MCP de la plateforme agit sur tout le service. Le compte connecté ici n’est pas celui d’un super-administrateur.',
    signedInAs,
    effect:
      'Si vous utilisez un autre compte, vous êtes d’abord déconnecté du portail dans ce navigateur. Si vous annulez, l’accès est refusé au client.',
    cancel: 'Annuler',
    other: 'Utiliser un autre compte',
  },
  link: {
    title: 'Associer à ce compte ?',
    lead: 'Ce navigateur n’est pas connecté avec la session qui a demandé l’association. N’associez les deux comptes que si les deux sont à vous et que vous l’avez demandé vous-même.',
    identity: 'Votre compte chez {provider}',
    noName: 'Un compte sans nom',
    account: 'Le compte de ce service',
    otherAddress:
      'Son adresse est différente de celle de votre compte chez {provider}. S’il n’est pas à vous, choisissez « Ne pas associer ».',
    effect: 'Si vous les associez',
    effectText: 'Se connecter avec {provider} ouvrira alors toujours le compte indiqué ci-dessus.',
    refuse: 'Ne pas associer',
    connect: 'Associer',
  },
  failed: {
    title: 'Une erreur s’est produite',
    message: 'Le problème vient de nous.',
    advice: 'S’il se reproduit, envoyez cet identifiant à l’exploitant de ce service : {id}',
  },
  limited: {
    title: 'Trop de demandes',
    message: 'Trop de demandes d’accès sont venues de votre réseau au cours de la dernière heure.',
    advice: 'Patientez {wait}, puis revenez à votre client et relancez la connexion.',
  },
  unavailable: {
    title: 'Indisponible pour le moment',
    message: 'Le service ne peut pas répondre en ce moment. Veuillez réessayer dans un instant.',
    advice: startAgain,
  },
  misread: {
    title: notUnderstood,
    message: 'La demande ne vient pas de cette page.',
    advice: startAgain,
  },
  malformed: {
    title: notUnderstood,
    message: 'La demande du client n’a pas la forme nécessaire.',
    advice: 'C’est au développeur du client de corriger cela ; vous ne pouvez pas le changer ici.',
  },
  answered: {
    title: 'Cette demande a déjà reçu une réponse',
    message:
      'Vous avez déjà répondu à cette demande. Chaque demande reçoit une seule réponse, et le client a la vôtre.',
    advice: 'Revenez à votre client. S’il n’est pas connecté, relancez-y la connexion.',
  },
  clientUnknown: {
    title: 'Ce client n’est pas enregistré ici',
    message: 'Aucun client n’est enregistré sous l’identifiant que celui-ci a envoyé.',
    advice: 'Retirez ce serveur de votre client et ajoutez-le de nouveau, pour qu’il se réenregistre.',
  },
  clientRevoked: {
    title: 'Ce client ne peut plus se connecter',
    message: 'L’enregistrement de ce client a été révoqué.',
    advice:
      'Retirez ce serveur de votre client et ajoutez-le de nouveau, ou demandez à un super-administrateur pourquoi il a été révoqué.',
  },
  clientDocument: {
    title: 'Ce client ne peut pas être identifié',
    message: 'Le document dans lequel ce client se décrit est inutilisable.',
    advice:
      'Attendez une minute et reconnectez-vous. Si cette page réapparaît, communiquez au développeur du client ce qui est écrit ci-dessous. Un super-administrateur en trouve davantage parmi les connexions du portail.',
  },
  redirectUri: {
    title: 'Il est impossible de répondre à ce client',
    message:
      'L’URI de redirection n’est pas l’un de ceux que ce client a enregistrés et peut utiliser ici. Seul le port d’une adresse de bouclage peut différer.',
    advice:
      'Pour son développeur : enregistrez exactement cet URI de redirection. Si ce n’est pas une adresse de bouclage, il doit aussi figurer dans MCP_REDIRECT_ALLOW_LIST de ce service.',
  },
  expired: {
    title: 'Cette demande est terminée',
    message: 'Cette demande n’existe pas, ou elle a expiré au bout de dix minutes.',
    advice: startAgain,
  },
  otherBrowser: {
    title: 'Cette demande appartient à un autre navigateur',
    message: 'Cette demande a commencé dans un autre navigateur, ou ce navigateur n’a pas conservé son cookie.',
    advice:
      'Répondez-y dans le navigateur que votre client a ouvert, avec les cookies activés, ou relancez la connexion depuis celui-ci.',
  },
  otherPage: {
    title: 'Votre réponse n’a pas compté',
    message:
      'Cette réponse ne vient pas de la page de ce service, ou une autre personne s’est connectée ici depuis l’affichage de la page.',
    advice: 'Rien n’a été décidé. Ouvrez de nouveau cette page pour voir la demande.',
  },
};
