/** The messages of ../connected-clients.ts in Portuguese. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'Redireciona para',
  loopback: 'Um programa no computador da própria pessoa',
  clientId: 'ID do cliente',
  document: 'Descrito em',
  resource: 'Ferramentas de',
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
    text: 'O cliente perde o acesso imediatamente. Para usá-lo de novo, a pessoa precisa permiti-lo outra vez.',
    submit: 'Encerrar conexão',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: 'Clientes conectados',
  lead: 'Programas, como assistentes de IA, que você deixa agir em seu nome em uma organização.',
  list: 'Seus clientes conectados',
  none: 'Você não conectou nenhum cliente. Um cliente pede seu consentimento quando você o adiciona, para uma organização de cada vez. Você pode encerrar a conexão dele aqui a qualquer momento.',
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
  lead: 'Uma alteração vale a partir da próxima chamada de cada cliente. O que a política não permite continua conectado e volta a funcionar quando a política permitir.',
  clients: 'Clientes que os membros podem usar',
  ANY: 'Qualquer um',
  ANY_text: 'Os membros conectam os clientes que quiserem.',
  LISTED: 'Os das listas',
  LISTED_text: 'Um cliente funciona quando está em uma das duas listas.',
  NONE: 'Nenhum',
  NONE_text: 'Nenhum cliente funciona, e nenhum pode ser conectado.',
  clientIds: 'Clientes',
  clientIdsHint:
    'Um por linha; no máximo 100. O identificador de um cliente registrado ou a URL https exata do documento de metadados dele.',
  redirectHosts: 'Hosts',
  redirectHostsHint:
    'Um por linha; no máximo 100. Um cliente funciona quando redireciona exatamente para este host, como app.example.com, ou scheme://host para um esquema próprio.',
  loopbackTitle: 'Isto permite qualquer programa no computador de um membro',
  loopback:
    '127.0.0.1, localhost e [::1] são o computador da própria pessoa. Qualquer programa nele pode redirecionar para lá, seja qual for o nome que mostre.',
  submit: 'Salvar política',
  saved: 'A política foi salva. Ela vale a partir da próxima chamada de cada cliente.',
};
