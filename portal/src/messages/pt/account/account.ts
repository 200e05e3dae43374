/** The messages of ../../en/account/account.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/account.ts';

export const home: Translated<typeof english.home> = {
  title: 'Sua conta',
  greeting: 'Olá, {name}',
  profile: 'Seu perfil',
  verified: 'Confirmado',
  verifiedSince: 'Confirmado em {date}',
  notVerified: 'Não confirmado',
  superAdmin: 'Superadministrador',
  organization: 'Organização',
  noOrganization: 'Nenhuma está ativa',
  role: 'Função',
  scopes: '{count, plural, =0 {Nenhuma permissão} one {# permissão} other {# permissões}}',
};

export const accountPages: Translated<typeof english.accountPages> = {
  navigation: 'Conta',
  account: 'Conta',
  security: 'Segurança',
  tokens: 'Tokens pessoais',
  clients: 'Clientes conectados',
  data: 'Seus dados',
  title: 'Conta',
  goOnTitle: 'Sua sessão agora tem um segundo fator',
  goOn: 'Continuar o que você começou',
  securityTitle: 'Segurança',
  dataTitle: 'Seus dados',
  session: 'Esta sessão',
  sessionLead: 'Algumas alterações pedem que você confirme sua identidade.',
  provedAt: 'Identidade confirmada pela última vez em {date}',
  provedAtUnknown: 'Identidade ainda não confirmada nesta sessão',
  withSecondFactor: 'Com uma chave de acesso ou um segundo fator.',
  withoutSecondFactor: 'Sem chave de acesso nem segundo fator.',
};

export const ownData: Translated<typeof english.ownData> = {
  exportTitle: 'Uma cópia dos seus dados',
  exportLead:
    'Tudo o que é guardado aqui sobre você, em um arquivo JSON: sua conta, suas organizações, suas sessões e os endereços delas.',
  export: 'Baixar',
  exported: 'O arquivo está sendo baixado.',
  deleteTitle: 'Excluir sua conta',
  deleteLead: 'Isso não pode ser desfeito.',
  deleteText:
    'Todos os dispositivos são desconectados e você sai das suas organizações. As que não têm outro membro são excluídas com todo o conteúdo.',
  deleteTextWithTokens:
    'Todos os dispositivos são desconectados, seus tokens pessoais terminam e você sai das suas organizações. As que não têm outro membro são excluídas com todo o conteúdo.',
  open: 'Excluir conta',
  typeEmail: 'Digite {email} para confirmar',
  emailMissing: 'Digite seu endereço de e-mail.',
  submit: 'Excluir minha conta',
  LAST_OWNER:
    'Você é a única pessoa proprietária de uma organização com outros membros. Primeiro, torne um deles proprietário.',
  SUBSCRIPTION_ACTIVE:
    'Uma organização da qual só você é membro tem um plano em vigor. Encerre-o primeiro, em “Plano”.',
  FORBIDDEN: 'Esta conta não pode ser excluída aqui. Fale com o operador deste serviço.',
};

export const ownAccount: Translated<typeof english.ownAccount> = {
  title: 'Seu nome e sua senha',
  name: 'Nome',
  changeName: 'Alterar nome',
  save: 'Salvar',
  password: 'Senha',
  changePassword: 'Alterar senha',
  setPassword: 'Definir uma senha',
  noPassword: 'Nenhuma',
  currentPassword: 'Senha atual',
  newPassword: 'Nova senha',
  othersSignedOut: 'Todos os outros dispositivos e clientes são desconectados.',
  othersSignedOutNotTokens:
    'Todos os outros dispositivos e clientes são desconectados. Seus tokens pessoais continuam funcionando.',
  savePassword: 'Alterar senha',
  passwordChanged: 'Sua senha foi alterada. Todos os outros dispositivos e clientes foram desconectados.',
  passwordChangedNotTokens:
    'Sua senha foi alterada. Todos os outros dispositivos e clientes foram desconectados; seus tokens pessoais continuam funcionando.',
  wrongPassword: 'Esta não é sua senha atual.',
};

export const emailSection: Translated<typeof english.emailSection> = {
  title: 'Seu endereço de e-mail',
  change: 'Alterar endereço de e-mail',
  newEmail: 'Novo endereço de e-mail',
  hint: 'Enviamos um link para ele. Seu endereço muda quando você abre o link e confirma.',
  missing: 'Digite seu novo endereço de e-mail.',
  submit: 'Enviar o link',
  requested:
    'Se {email} puder ser usado, uma mensagem com um link está a caminho desse endereço. Abra o link em até 24 horas, com a sessão aberta aqui. Até lá, seu endereço continua o mesmo. Enviamos no máximo uma mensagem dessas por hora: se você já pediu este endereço antes, use o link que tem.',
  pending: 'Seu endereço foi alterado nas últimas 72 horas. Ele não pode ser alterado de novo até esse prazo acabar.',
};

export const signInMethods: Translated<typeof english.signInMethods> = {
  title: 'Formas de entrar',
  lead: 'Cada uma delas dá acesso a esta conta.',
  password: 'Senha',
  passwordSet: 'Definida',
  passwordNotSet: 'Não definida',
  notConnected: 'Não conectado',
  connectedAs: 'Conectado como {email} desde {date}',
  connectedSince: 'Conectado desde {date}',
  connect: 'Conectar',
  connectProvider: 'Conectar {provider}',
  disconnect: 'Desconectar',
  disconnectProvider: 'Desconectar {provider}',
  onlyMethod: 'Não é possível desconectar: é a única forma de entrar nesta conta.',
  connected: '{provider} está conectado. A partir de agora você pode entrar com ele.',
  disconnected: '{provider} está desconectado. Não é mais possível entrar com ele.',
  confirm: {
    title: 'Desconectar {provider}?',
    text: 'Você vai entrar de outra forma. As sessões abertas nos seus dispositivos continuam abertas.',
    submit: 'Desconectar',
  },
};

export const devices: Translated<typeof english.devices> = {
  title: 'Seus dispositivos',
  lead: 'Todos os dispositivos e programas com uma sessão aberta na sua conta.',
  unsure: 'Há algum dispositivo que você não reconhece?',
  thisDevice: 'Este dispositivo',
  apiClient: 'Cliente de API',
  mcpClient: 'Cliente MCP',
  addressUnknown: 'Endereço desconhecido',
  signedIn: 'Sessão iniciada em {date}',
  lastSeen: 'Última atividade {when}',
  neverSeen: 'Sem uso desde então',
  inUse: 'Em uso agora',
  justNow: 'agora mesmo',
  signOut: 'Sair',
  signOutThis: 'Sair deste dispositivo',
  signOutOther: 'Sair de {device}',
  everywhere: 'Sair de todos os dispositivos',
  ended: 'A sessão em {device} foi encerrada.',
  names: {
    browserOnSystem: '{browser} no {system}',
    unknown: 'Dispositivo desconhecido',
  },
  confirmOne: {
    title: 'Sair de {device}?',
    text: 'Ele perde o acesso imediatamente e terá de entrar de novo.',
    submit: 'Sair do dispositivo',
  },
  confirmEverywhere: {
    title: 'Sair de todos os dispositivos?',
    text: 'Todos os dispositivos perdem o acesso imediatamente, incluindo este e os clientes de API. Você terá de entrar de novo.',
    textWithTokens:
      'Todos os dispositivos perdem o acesso imediatamente, incluindo este, os clientes de API e seus tokens pessoais. Você terá de entrar de novo e criar novos tokens onde precisar deles.',
    submit: 'Sair de todos os dispositivos',
  },
};
