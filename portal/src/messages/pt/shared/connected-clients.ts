/** The messages of ../../en/shared/connected-clients.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'Redireciona para',
  loopback: 'Um programa no computador da própria pessoa',
  clientId: 'ID do cliente',
  resource: 'Servidor MCP',
  scopes: 'Pode',
  connected: 'Conectado',
  expires: 'Expira',
  lastUsed: 'Último uso',
  neverUsed: 'Nunca',
  total: '{total, plural, one {# conexão} other {# conexões}}',
  shownOf: '{shown, number} de {total, number} exibidas',
  end: 'Encerrar',
  endOne: 'Encerrar a conexão de {name} por {host}',
  wasEnded: 'A conexão de {name} foi encerrada. Ela não funciona mais.',
  ending: {
    title: 'Encerrar a conexão de {name}?',
    text: 'O cliente perde o acesso imediatamente. Para agir de novo, ele precisa de um novo consentimento.',
    submit: 'Encerrar conexão',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: 'Clientes conectados',
  lead: 'Programas, como assistentes de IA, que você deixa agir em seu nome em uma organização.',
  list: 'Seus clientes conectados',
  none: 'Você não conectou nenhum cliente. Adicione {address} a um cliente MCP. Ele então pede seu consentimento, para uma organização de cada vez. Você pode encerrar a conexão dele aqui a qualquer momento.',
  life: 'Uma conexão termina quando você a encerra, sai da organização ou sai de todos os dispositivos.',
};

export const organizationClients: Translated<typeof english.organizationClients> = {
  title: 'Clientes conectados de {name}',
  lead: 'Programas, como assistentes de IA, que membros deixam agir em seu nome nesta organização.',
  list: 'Clientes conectados',
  none: 'Nenhum membro conectou um cliente.',
  notAllowed: 'Sua função nesta organização não permite gerenciar os clientes conectados dela.',
};

export const mcpPolicy: Translated<typeof english.mcpPolicy> = {
  title: 'Política de clientes',
  lead: 'Uma alteração vale a partir da próxima chamada de cada cliente. Um cliente que a política não permite continua conectado e volta a funcionar quando a política permitir.',
  clients: 'Clientes que os membros podem usar',
  ANY: 'Qualquer um',
  ANY_text: 'Os membros conectam os clientes que quiserem.',
  LISTED: 'Os das listas',
  LISTED_text: 'Um cliente funciona quando seu ID ou o host para o qual redireciona está na lista.',
  NONE: 'Nenhum',
  NONE_text: 'Nenhum cliente funciona, e nenhum pode ser conectado.',
  clientIds: 'IDs de clientes',
  clientIdsHint:
    'Um por linha; no máximo 100. O identificador de um cliente registrado ou a URL https exata de um documento de metadados.',
  redirectHosts: 'Hosts',
  redirectHostsHint:
    'Um por linha; no máximo 100. Um cliente funciona quando redireciona exatamente para este host, como app.example.com, ou scheme://host para um esquema próprio.',
  loopbackTitle: 'Isto permite qualquer programa no computador de um membro',
  loopback:
    '127.0.0.1, localhost e [::1] são o computador da própria pessoa. Qualquer programa nele pode redirecionar para lá, seja qual for o nome que mostre.',
  submit: 'Salvar política',
  saved: 'A política foi salva. Ela vale a partir da próxima chamada de cada cliente.',
};
