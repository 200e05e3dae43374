/** The messages of ../governance.ts in French. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../governance.ts';

export const governance: Translated<typeof english.governance> = {
  title: 'Sessions',
  lead: 'Les sessions actives de toutes les personnes et de tous les programmes, les plus récentes d’abord.',
  cannotRevoke: {
    title: 'Vous pouvez consulter les sessions, mais pas y mettre fin',
    why: 'Mettre fin à une session nécessite l’autorisation sessions:revoke.',
  },
  list: 'Sessions actives',
  search: 'Rechercher par adresse e-mail',
  hint: 'Choisissez une adresse ou une organisation dans la liste pour ne voir que ses sessions.',
  audience: 'Pour :',
  audiences: { portal: 'Portail', api: 'API', mcp: 'MCP' },
  methods: {
    password: 'connexion par mot de passe',
    invitation: 'connexion par invitation',
    google: 'connexion avec Google',
    mcp_oauth: 'connexion en tant que client MCP',
    other: 'connexion par {method}',
  },
  filters: {
    person: '{email} seulement',
    onePerson: 'Une seule personne',
    organization: '{organization} seulement',
    oneOrganization: 'Une seule organisation',
    remove: 'Retirer le filtre : {filter}',
  },
  invalidFilters: {
    title: 'Un filtre dans l’adresse de cette page est incorrect',
    email: 'Adresse e-mail',
    audience: 'Audience',
    user: 'Personne',
    organization: 'Organisation',
    notAnId: 'Ce n’est pas un identifiant.',
    notAnAudience: 'Ce n’est pas une audience.',
  },
  onlyPerson: '{email} seulement',
  onlyOrganization: '{organization} seulement',
  total: '{shown, plural, =0 {Aucune session active} one {# session active} other {# sessions actives}}',
  moreThan: 'Plus de {shown, plural, one {# session active} other {# sessions actives}}',
  shownOfMore: '{shown, number} affichées ; il y en a d’autres',
  none: 'Aucune session active ne correspond à ces filtres.',
  you: 'C’est vous',
  organization: 'Organisation',
  noOrganization: 'Aucune',
  issued: 'Émise',
  lastSeen: 'Dernière activité',
  expires: 'Expire',
  from: '{when} depuis {address}',
  neverSeen: 'Pas encore utilisée',
  revoke: 'Révoquer la session',
  revokeOf: 'Révoquer la session de {email}, {device}, émise le {date}',
  revokeEverywhere: 'Déconnecter partout',
  revokeEverywhereOf: 'Déconnecter partout : {email}',
  confirm: {
    session: {
      title: 'Révoquer une session de {email} ?',
      text: 'Cela met fin à la session de {device}, émise le {date}. Son jeton d’accès et son jeton d’actualisation cessent aussitôt de fonctionner. Les autres sessions de {email} restent actives.',
      submit: 'Révoquer la session',
      own: 'C’est la session que vous utilisez en ce moment. Vous serez déconnecté ici.',
    },
    everywhere: {
      title: 'Déconnecter {email} partout ?',
      text: 'Toutes les sessions de {email} prennent fin aussitôt, sur tous les appareils et dans tous les programmes, dans toutes les organisations. Le compte lui-même demeure : toute personne qui connaît son mot de passe peut se reconnecter.',
      submit: 'Déconnecter partout',
      own: 'C’est vous. La session que vous utilisez en ce moment prend fin aussi, et vous serez déconnecté ici.',
    },
  },
  result:
    '{count, plural, =0 {Plus aucun jeton de {email} n’était actif.} one {# jeton de {email} était actif et a pris fin.} other {# jetons de {email} étaient actifs et ont pris fin.}}',
};
