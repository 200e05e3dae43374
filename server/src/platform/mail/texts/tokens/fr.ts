/** The mails about tokens in French. */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes { depuis l’adresse {address}} other {}}';
const seeOwn = 'Voir vos jetons personnels';
const seeManaged = 'Voir les jetons de l’organisation';
const strangerHasSession =
  'Si ce n’était pas vous, une autre personne est connectée à votre compte : révoquez le jeton, déconnectez-vous partout sous « Vos appareils », et changez votre mot de passe.';
const youManage = 'Vous recevez cet e-mail parce que vous gérez les jetons de « {organization} ».';
const ifUnexpected = `Si vous ne vous y attendiez pas, demandez à cette personne et, en cas de doute, révoquez le jeton. ${youManage}`;
const within = '{days, plural, one {# jour} other {# jours}}';
const expires =
  'expire le {until}. Dès lors, toute requête faite avec lui est refusée.\n\nS’il est encore nécessaire, donnez-lui auparavant un nouveau secret : l’actuel reste valable pendant la durée que vous choisissez.';

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: 'Le jeton personnel « {token} » a été créé',
    body: `Le {at}, le jeton personnel « {token} » pour « {organization} » a été créé dans une session connectée à votre compte${from}.\n\n{isPending, select, yes {Il ne peut pas être utilisé tant qu’une personne qui y gère les jetons ne l’a pas approuvé.} other {Un programme qui le possède agit à votre place, dans la limite de ses autorisations, jusqu’à son expiration ou sa révocation.}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: 'Le jeton personnel « {token} » a un nouveau secret',
    body: `Le {at}, le jeton personnel « {token} » pour « {organization} » a reçu un nouveau secret dans une session connectée à votre compte${from}. L’ancien n’est plus valable que pendant la durée de transition choisie.`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: 'Le jeton personnel « {token} » a été approuvé',
    body: 'Le {at}, une personne qui gère les jetons de « {organization} » a approuvé votre jeton personnel « {token} ». Il peut être utilisé dès maintenant.',
    action: seeOwn,
    remark: 'Si vous n’avez pas créé ce jeton, révoquez-le, et déconnectez-vous partout sous « Vos appareils ».',
  },
  personalTokenRefused: {
    subject: 'Le jeton personnel « {token} » a été refusé',
    body: 'Le {at}, une personne qui gère les jetons de « {organization} » a refusé votre jeton personnel « {token} ». Il a définitivement pris fin.',
    action: seeOwn,
    remark: 'Si vous avez une question, adressez-vous aux personnes qui gèrent les jetons de « {organization} ».',
  },
  personalTokenWaiting: {
    subject: 'Un jeton personnel attend une approbation dans « {organization} »',
    body: 'Le {at}, {person} a créé le jeton personnel « {token} » pour « {organization} ». Il ne peut pas être utilisé tant que vous, ou une autre personne qui gère les jetons, ne l’avez pas approuvé.',
    action: 'Décider du jeton',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'Un jeton du compte de service « {account} » a été créé',
    body: `Le {at}, {person} a créé un jeton du compte de service « {account} » dans « {organization} »${from}.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'Un jeton du compte de service « {account} » a un nouveau secret',
    body: `Le {at}, {person} a donné un nouveau secret à un jeton du compte de service « {account} » dans « {organization} »${from}. L’ancien n’est plus valable que pendant la durée de transition choisie.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'Le compte de service « {account} » a de nouvelles autorisations',
    body: 'Le {at}, {person} a donné au compte de service « {account} » dans « {organization} » de nouvelles autorisations : {scopes}. Ses jetons les ont dès maintenant.',
    action: seeManaged,
    remark: `Si vous ne vous y attendiez pas, demandez à cette personne et, en cas de doute, retirez ces autorisations. ${youManage}`,
  },
  tokenPolicyChanged: {
    subject: 'La politique des jetons de « {organization} » a été modifiée',
    body: 'Le {at}, {person} a modifié la politique de « {organization} » pour les jetons. Les jetons que la politique refuse sont bloqués, et fonctionnent de nouveau dès qu’elle les permet.',
    action: 'Voir la politique',
    remark: `Si vous ne vous y attendiez pas, demandez à cette personne. ${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, one {Renouvelez les jetons d’un compte de service} other {Renouvelez les jetons de # comptes de service}} : une personne qui les a vus a quitté « {organization} »',
    body: 'Le {at}, {person} a quitté « {organization} ». Cette personne a vu {count, plural, one {le secret d’un jeton de ce compte de service} other {les secrets de jetons de ces comptes de service}} : {accounts}.\n\nLes jetons restent valables. Donnez-leur de nouveaux secrets, afin que seules les personnes encore présentes les connaissent.',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `Votre jeton personnel « {token} » expire dans ${within} au plus`,
    body: `Votre jeton personnel « {token} » pour « {organization} » ${expires}`,
    action: seeOwn,
    remark: 'S’il n’est plus nécessaire, vous n’avez rien à faire.',
  },
  serviceTokenExpires: {
    subject: `Un jeton du compte de service « {account} » expire dans ${within} au plus`,
    body: `Un jeton du compte de service « {account} » dans « {organization} » ${expires}`,
    action: seeManaged,
    remark: `S’il n’est plus nécessaire, vous n’avez rien à faire. ${youManage}`,
  },
};
