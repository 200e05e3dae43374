/** The messages of ../../en/account/account.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/account.ts';

export const home: Translated<typeof english.home> = {
  title: 'Votre compte',
  greeting: 'Bonjour {name}',
  profile: 'Votre profil',
  verified: 'Confirmée',
  verifiedSince: 'Confirmée le {date}',
  notVerified: 'Non confirmée',
  superAdmin: 'Super-administrateur',
  organization: 'Organisation',
  noOrganization: 'Aucune n’est active',
  role: 'Rôle',
  scopes: '{count, plural, =0 {Aucune autorisation} one {# autorisation} other {# autorisations}}',
};

export const accountPages: Translated<typeof english.accountPages> = {
  navigation: 'Compte',
  account: 'Compte',
  security: 'Sécurité',
  tokens: 'Jetons personnels',
  clients: 'Clients connectés',
  data: 'Vos données',
  title: 'Compte',
  goOnTitle: 'Votre session a maintenant un second facteur',
  goOn: 'Reprendre ce que vous avez commencé',
  securityTitle: 'Sécurité',
  dataTitle: 'Vos données',
  session: 'Cette session',
  sessionLead: 'Certaines modifications vous demandent de confirmer votre identité.',
  provedAt: 'Dernière confirmation le {date}',
  provedAtUnknown: 'Pas encore de confirmation dans cette session',
  withSecondFactor: 'Avec une clé d’accès ou un second facteur.',
  withoutSecondFactor: 'Sans clé d’accès ni second facteur.',
};

export const ownData: Translated<typeof english.ownData> = {
  exportTitle: 'Une copie de vos données',
  exportLead:
    'Tout ce qui est conservé ici à votre sujet, dans un fichier JSON : votre compte, vos organisations, vos sessions et leurs adresses.',
  export: 'Télécharger',
  exported: 'Le fichier est en cours de téléchargement.',
  deleteTitle: 'Supprimer votre compte',
  deleteLead: 'Cette action est irréversible.',
  deleteText:
    'Tous les appareils sont déconnectés et vous quittez vos organisations. Celles qui n’ont pas d’autre membre sont supprimées avec tout leur contenu.',
  deleteTextWithTokens:
    'Tous les appareils sont déconnectés, vos jetons personnels prennent fin et vous quittez vos organisations. Celles qui n’ont pas d’autre membre sont supprimées avec tout leur contenu.',
  open: 'Supprimer le compte',
  typeEmail: 'Saisissez {email} pour confirmer',
  emailMissing: 'Saisissez votre adresse e-mail.',
  submit: 'Supprimer mon compte',
  LAST_OWNER:
    'Vous êtes l’unique propriétaire d’une organisation qui a d’autres membres. Nommez d’abord l’un d’eux propriétaire.',
  SUBSCRIPTION_ACTIVE:
    'Une organisation dont vous êtes le seul membre a un forfait en cours. Mettez-y d’abord fin, sous « Forfait ».',
  FORBIDDEN: 'Ce compte ne peut pas être supprimé ici. Adressez-vous à l’exploitant de ce service.',
};

export const ownAccount: Translated<typeof english.ownAccount> = {
  title: 'Votre nom et votre mot de passe',
  name: 'Nom',
  changeName: 'Modifier le nom',
  save: 'Enregistrer',
  password: 'Mot de passe',
  changePassword: 'Modifier le mot de passe',
  setPassword: 'Définir un mot de passe',
  noPassword: 'Aucun',
  currentPassword: 'Mot de passe actuel',
  newPassword: 'Nouveau mot de passe',
  othersSignedOut: 'Tous les autres appareils et clients sont déconnectés.',
  othersSignedOutNotTokens:
    'Tous les autres appareils et clients sont déconnectés. Vos jetons personnels restent valables.',
  savePassword: 'Modifier le mot de passe',
  passwordChanged: 'Votre mot de passe est modifié. Tous les autres appareils et clients sont déconnectés.',
  passwordChangedNotTokens:
    'Votre mot de passe est modifié. Tous les autres appareils et clients sont déconnectés ; vos jetons personnels restent valables.',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel.',
};

export const emailSection: Translated<typeof english.emailSection> = {
  title: 'Votre adresse e-mail',
  change: 'Modifier l’adresse e-mail',
  newEmail: 'Nouvelle adresse e-mail',
  hint: 'Nous y envoyons un lien. Votre adresse change lorsque vous ouvrez le lien et confirmez.',
  missing: 'Saisissez votre nouvelle adresse e-mail.',
  submit: 'Envoyer le lien',
  requested:
    'Si {email} peut être utilisée, un message contenant un lien y est en route. Ouvrez le lien dans les 24 heures, en étant connecté ici. Jusque-là, votre adresse reste la même. Nous envoyons au plus un tel message par heure : si vous avez déjà demandé cette adresse, utilisez le lien que vous avez.',
  pending:
    'Votre adresse a été modifiée au cours des dernières 72 heures. Elle ne peut pas être modifiée de nouveau avant la fin de ce délai.',
};

export const signInMethods: Translated<typeof english.signInMethods> = {
  title: 'Moyens de connexion',
  lead: 'Chacun d’eux vous connecte à ce compte.',
  password: 'Mot de passe',
  passwordSet: 'Défini',
  passwordNotSet: 'Non défini',
  notConnected: 'Non associé',
  connectedAs: 'Associé à {email} depuis le {date}',
  connectedSince: 'Associé depuis le {date}',
  connect: 'Associer',
  connectProvider: 'Associer {provider}',
  disconnect: 'Dissocier',
  disconnectProvider: 'Dissocier {provider}',
  onlyMethod: 'Vous ne pouvez pas le dissocier : c’est le seul moyen de connexion à ce compte.',
  connected: '{provider} est associé. Vous pouvez désormais l’utiliser pour vous connecter.',
  disconnected: '{provider} est dissocié. Il ne permet plus de vous connecter.',
  confirm: {
    title: 'Dissocier {provider} ?',
    text: 'Vous vous connecterez d’une autre manière. Les appareils connectés le restent.',
    submit: 'Dissocier',
  },
};

export const devices: Translated<typeof english.devices> = {
  title: 'Vos appareils',
  lead: 'Partout où votre compte est connecté.',
  unsure: 'Voyez-vous un appareil que vous ne reconnaissez pas ?',
  thisDevice: 'Cet appareil',
  apiClient: 'Client API',
  mcpClient: 'Client MCP',
  addressUnknown: 'Adresse inconnue',
  signedIn: 'Connecté le {date}',
  lastSeen: 'Dernière activité {when}',
  neverSeen: 'Pas utilisé depuis',
  inUse: 'En cours d’utilisation',
  justNow: 'à l’instant',
  signOut: 'Déconnecter',
  signOutThis: 'Déconnecter cet appareil',
  signOutOther: 'Déconnecter {device}',
  everywhere: 'Déconnecter partout',
  ended: '{device} est déconnecté.',
  names: {
    browserOnSystem: '{browser} sur {system}',
    unknown: 'Appareil inconnu',
  },
  confirmOne: {
    title: 'Déconnecter {device} ?',
    text: 'Il perd immédiatement l’accès et devra se reconnecter.',
    submit: 'Déconnecter l’appareil',
  },
  confirmEverywhere: {
    title: 'Déconnecter partout ?',
    text: 'Tous les appareils perdent immédiatement l’accès, y compris celui-ci et les clients API. Vous devrez vous reconnecter.',
    textWithTokens:
      'Tous les appareils perdent immédiatement l’accès, y compris celui-ci, les clients API et vos jetons personnels. Vous devrez vous reconnecter, et créer de nouveaux jetons là où il vous en faut.',
    submit: 'Déconnecter partout',
  },
};
