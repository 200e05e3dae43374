/** The messages of ../../en/shared/connected-clients.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'Redirige vers',
  loopback: 'Un programme sur l’ordinateur de la personne',
  clientId: 'ID du client',
  resource: 'Serveur MCP',
  scopes: 'Peut',
  connected: 'Connecté',
  expires: 'Expire',
  lastUsed: 'Dernière utilisation',
  neverUsed: 'Jamais',
  total: '{total, plural, one {# connexion} other {# connexions}}',
  shownOf: '{shown, number} sur {total, number} affichées',
  end: 'Terminer',
  endOne: 'Terminer la connexion de {name} par {host}',
  wasEnded: 'La connexion de {name} est terminée. Elle ne fonctionne plus.',
  ending: {
    title: 'Terminer la connexion de {name} ?',
    text: 'Le client perd l’accès aussitôt. Pour agir de nouveau, il lui faut un nouvel accord.',
    submit: 'Terminer la connexion',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: 'Clients connectés',
  lead: 'Des programmes, comme des assistants d’IA, que vous laissez agir en votre nom dans une organisation.',
  list: 'Vos clients connectés',
  none: 'Vous n’avez connecté aucun client. Ajoutez {address} à un client MCP. Il demande alors votre accord, pour une organisation à la fois. Vous pouvez terminer sa connexion ici à tout moment.',
  life: 'Une connexion prend fin quand vous la terminez, quittez son organisation ou vous déconnectez partout.',
};

export const organizationClients: Translated<typeof english.organizationClients> = {
  title: 'Clients connectés de {name}',
  lead: 'Des programmes, comme des assistants d’IA, que les membres laissent agir en leur nom dans cette organisation.',
  list: 'Clients connectés',
  none: 'Aucun membre n’a connecté de client.',
  notAllowed: 'Votre rôle dans cette organisation ne vous permet pas de gérer ses clients connectés.',
};

export const mcpPolicy: Translated<typeof english.mcpPolicy> = {
  title: 'Politique des clients',
  lead: 'Une modification vaut dès le prochain appel de chaque client. Un client que la politique refuse reste connecté, et fonctionne de nouveau quand elle le permet.',
  clients: 'Clients que les membres peuvent utiliser',
  ANY: 'Tous',
  ANY_text: 'Les membres connectent les clients de leur choix.',
  LISTED: 'Ceux des listes',
  LISTED_text: 'Un client fonctionne quand son ID ou l’hôte vers lequel il redirige figure dans une liste.',
  NONE: 'Aucun',
  NONE_text: 'Aucun client ne fonctionne, et aucun ne peut être connecté.',
  clientIds: 'ID de clients',
  clientIdsHint:
    'Un par ligne ; 100 au plus. L’identifiant d’un client enregistré, ou l’URL https exacte d’un document de métadonnées.',
  redirectHosts: 'Hôtes',
  redirectHostsHint:
    'Un par ligne ; 100 au plus. Un client fonctionne quand il redirige exactement vers cet hôte, comme app.example.com, ou scheme://host pour un schéma qui lui est propre.',
  loopbackTitle: 'Cela autorise tout programme sur l’ordinateur d’un membre',
  loopback:
    '127.0.0.1, localhost et [::1] désignent l’ordinateur de la personne. Tout programme y peut rediriger, quel que soit le nom qu’il affiche.',
  submit: 'Enregistrer la politique',
  saved: 'La politique est enregistrée. Elle vaut dès le prochain appel de chaque client.',
};
