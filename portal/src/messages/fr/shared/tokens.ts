/** The messages of ../../en/shared/tokens.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/tokens.ts';

export const tokens: Translated<typeof english.tokens> = {
  statuses: {
    ACTIVE: 'Actif',
    PENDING: 'En attente d’approbation',
    BLOCKED: 'Bloqué par la politique',
    EXPIRED: 'Expiré',
    REVOKED: 'Révoqué',
  },
  why: {
    PENDING: 'Il fonctionnera dès qu’une personne qui gère les jetons de {organization} l’aura approuvé.',
    BLOCKED:
      'La politique de {organization} le refuse pour le moment. Il fonctionnera de nouveau quand elle le permettra.',
  },
  organization: 'Organisation',
  scopes: 'Peut',
  lastCharacters: 'Secret',
  endsIn: 'se termine par <code>{characters}</code>',
  expires: 'Expire',
  expired: 'Expiré',
  revoked: 'Révoqué',
  lastUsed: 'Dernière utilisation',
  usedFrom: '{when}, depuis {address}',
  neverUsed: 'Jamais',
  previousSecret: 'Le secret précédent fonctionne aussi jusqu’au {date}.',
  rotate: 'Renouveler',
  rotateOne: 'Renouveler {name}, qui se termine par {characters}',
  revoke: 'Révoquer',
  revokeOne: 'Révoquer {name}, qui se termine par {characters}',
  wasRevoked: '{name} est révoqué et ne fonctionne plus.',
  rotation: {
    title: 'Renouveler {name} ?',
    text: 'Vous obtenez un nouveau secret, affiché une seule fois et valable aussi longtemps que le secret actuel.',
    overlap: 'Le secret actuel continue de fonctionner',
    seconds0: 'Non : il prend fin aussitôt',
    seconds3600: 'Pendant 1 heure',
    seconds86400: 'Pendant 1 jour',
    seconds604800: 'Pendant 7 jours',
    submit: 'Renouveler le jeton',
  },
  revocation: {
    title: 'Révoquer {name} ?',
    text: 'Ce qui l’utilise perd immédiatement l’accès, y compris avec un secret précédent. Cette action est définitive.',
    submit: 'Révoquer le jeton',
  },
  secret: {
    title: 'Copiez maintenant le secret de {name}',
    text: 'Il n’est affiché que cette fois. Conservez-le comme un mot de passe : avec lui, un programme peut faire tout ce que le jeton permet.',
    pending: 'Il ne fonctionne pas encore : une personne qui gère les jetons doit d’abord l’approuver.',
    name: 'Secret',
    copy: 'Copier le secret',
    example: 'Comment l’utiliser',
    exampleLead: 'Définissez TOKEN avec le secret dans votre shell, puis :',
    copyExample: 'Copier l’exemple',
    done: 'Je l’ai enregistré',
  },
  refusals: {
    missing: 'Vous n’avez pas vous-même ce droit dans l’organisation : {scopes}.',
    limitTitle: 'Le nombre maximal est atteint',
    limit: 'Supprimez-en un qui ne sert plus, puis réessayez.',
    limitOfAccount:
      'Un compte de service a au plus deux jetons valables. Révoquez-en un, ou renouvelez-en un pour obtenir un nouveau secret.',
  },
};

export const tokenForm: Translated<typeof english.tokenForm> = {
  scopes: 'Ce qu’il peut faire',
  scopesMissing: 'Choisissez au moins une option.',
  expiry: 'Expire',
  inDays: '{days, plural, one {Dans # jour} other {Dans # jours}}',
  onDate: 'À une date de votre choix',
  date: 'Date d’expiration',
  dateMissing: 'Choisissez une date à venir.',
  submit: 'Créer le jeton',
};

export const ownTokens: Translated<typeof english.ownTokens> = {
  title: 'Jetons personnels',
  lead: 'Avec un jeton personnel, un de vos scripts ou programmes utilise l’API en votre nom, sans votre mot de passe.',
  list: 'Vos jetons',
  ended: 'Terminés au cours des 90 derniers jours',
  none: 'Vous n’avez pas de jeton personnel. Créez-en un pour un script, un serveur de build ou un outil qui appelle l’API. Un jeton ne peut faire que ce que vous choisissez, et jamais plus que vous. Vous pouvez le révoquer à tout moment.',
  life: 'Un jeton personnel prend fin quand vous le révoquez, quittez son organisation ou vous déconnectez partout. Un nouveau mot de passe n’y change rien.',
  create: 'Créer un jeton',
  createTitle: 'Nouveau jeton personnel',
  createLead: 'Il ne fonctionne que dans {organization}.',
  name: 'Nom',
  nameHint: 'Pour le reconnaître, par exemple « script de sauvegarde ».',
  nameMissing: 'Saisissez un nom pour le jeton.',
  noOrganization: 'Un jeton fonctionne dans une organisation. Choisissez-en d’abord une.',
  noScopes: 'Vous ne pouvez rien faire dans {organization} pour le moment : un jeton ne le pourrait pas non plus.',
  forbidden:
    '{organization} n’autorise pas les jetons personnels pour le moment. Adressez-vous à une personne qui gère ses jetons.',
};
