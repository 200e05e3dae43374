/** The pages in Portuguese, which says “você”. */
import type { PageTexts } from '../page-texts.ts';

const signedInAs = 'Você entrou como';
const startAgain = 'Volte ao seu cliente e inicie a conexão de novo.';
const notUnderstood = 'Não é possível entender este pedido';

export const texts: PageTexts = {
  consent: {
    title: 'Permitir o acesso?',
    heading: 'Permitir que {client} aja por você?',
    unverified:
      'O cliente escolheu este nome ao se registrar; ele não foi verificado. Permita somente se foi você quem acabou de iniciar a conexão.',
    document:
      'Um documento em {host} descreve este cliente e lhe dá este nome. Permita somente se foi você quem acabou de iniciar a conexão.',
    documentOfLoopback:
      'Sua resposta vai para um programa deste computador, e qualquer programa daqui pode apresentar o documento de {host} como seu. Continue somente se foi você quem acabou de iniciar a conexão, em um programa em que confia.',
    signedInAs,
    otherAccount: 'Não é você? <signOut>Saia no portal</signOut> e conecte-se de novo a partir do seu cliente.',
    target: 'Sua resposta vai para',
    localApp: 'Um aplicativo neste computador',
    scopes: 'Ele poderá',
    changes: 'Faz alterações',
    idle: 'Estas permissões não acrescentam nada aqui: valem só no portal',
    narrowed: 'Ele também pediu permissões que você não tem. Ele não as recebe.',
    time: 'Por quanto tempo',
    lifetime:
      'Por {time}, no máximo. Você pode encerrar o acesso a qualquer momento no portal, em <devices>seus dispositivos</devices>; qualquer superadministrador que possa encerrar sessões também pode.',
    refuse: 'Recusar',
    allow: 'Permitir',
  },
  scopes: {
    'sessions:revoke': 'Encerrar a sessão de qualquer pessoa, em um dispositivo ou em todos',
    'users:suspend': 'Suspender pessoas, para que não possam entrar, e reativá-las',
    'invitations:manage': 'Reenviar convites e retirá-los',
    'mcp:whoami': 'Ver quem você é e o que pode fazer aqui',
    'sessions:view': 'Ver quem está com a sessão aberta, desde quando e de onde',
    'users:view': 'Encontrar pessoas e ver seus nomes, endereços de e-mail e organizações',
    'organizations:view': 'Ver cada organização, seu plano, seus membros e seus convites abertos',
    'mcp:access:view': 'Ver quais clientes MCP estão registrados e quando foram usados pela última vez',
  },
  organization: {
    heading: 'Permitir que {client} aja por você em {organization}?',
    organization: 'Organização',
    choose: 'Escolher outra',
    organizationOnly: 'Ele recebe acesso apenas a esta organização. Outra exige outra conexão.',
    resource: 'Acesso a',
    missing: 'Ele também pede estas permissões, e não as recebe',
    missingRole: 'Sua função aqui, {role}, não concede isto.',
    missingPlan: 'O plano da organização não inclui isto.',
    missingPayment: 'A assinatura da organização não está ativa, por isso não concede nada.',
    lifetime:
      'Por {time} no máximo. Você pode encerrá-lo a qualquer momento no portal, entre <clients>seus clientes conectados</clients>. Ele termina quando você sai da organização, e os administradores da organização também podem encerrá-lo.',
    notAccepted:
      '{organization} não aceita este cliente. Um proprietário ou administrador pode mudar isso no portal, nos clientes MCP da organização.',
    nothingHeld: 'Você não tem em {organization} nenhuma das permissões que este cliente pede.',
    secondFactor:
      '{organization} exige um segundo fator, e você não usou nenhum nesta sessão. <confirm>Confirme com um</confirm> ou escolha outra organização.',
    accountHeading: 'Você não pode conectar {client} com esta conta',
    accountLead: 'Este cliente pede acesso a uma organização, e a conta conectada aqui não pertence a nenhuma.',
  },
  organizationScopes: {
    MEMBERS_VIEW: 'Ver quem pertence à organização',
    MEMBERS_INVITE: 'Convidar pessoas',
    MEMBERS_UPDATE: 'Alterar funções',
    MEMBERS_REMOVE: 'Remover pessoas',
    ORGANIZATION_UPDATE: 'Renomear a organização',
    BILLING_MANAGE: 'Pagar e gerenciar a cobrança',
    TOKENS_MANAGE: 'Gerenciar tokens e contas de serviço',
    MCP_MANAGE: 'Gerenciar os clientes MCP conectados',
    AUDIT_VIEW: 'Ver o registro de auditoria da organização',
  },
  account: {
    title: 'É necessária outra conta',
    heading: 'Só um superadministrador pode conectar {client}',
    lead: 'O MCP da plataforma age sobre todo o serviço. A conta com a sessão aberta aqui não é de um superadministrador.',
    signedInAs,
    effect:
      'Se você usar outra conta, sua sessão do portal neste navegador é encerrada primeiro. Se cancelar, o acesso é negado ao cliente.',
    cancel: 'Cancelar',
    other: 'Usar outra conta',
  },
  link: {
    title: 'Vincular a esta conta?',
    lead: 'A sessão aberta neste navegador não é a que pediu o vínculo. Vincule as duas contas somente se ambas forem suas e se foi você quem pediu o vínculo.',
    identity: 'Sua conta de {provider}',
    noName: 'Uma conta sem nome',
    account: 'A conta daqui',
    otherAddress:
      'Ela tem um endereço diferente do da sua conta de {provider}. Se não for sua, escolha “Não vincular”.',
    effect: 'Se você as vincular',
    effectText: 'Entrar com {provider} passará a abrir sempre a conta indicada acima.',
    refuse: 'Não vincular',
    connect: 'Vincular',
  },
  failed: {
    title: 'Algo deu errado',
    message: 'O problema é nosso.',
    advice: 'Se acontecer outra vez, envie este identificador ao operador deste serviço: {id}',
  },
  limited: {
    title: 'Pedidos demais',
    message: 'Houve pedidos de acesso demais vindos da sua rede na última hora.',
    advice: 'Aguarde {wait}; depois volte ao seu cliente e inicie a conexão de novo.',
  },
  unavailable: {
    title: 'Indisponível no momento',
    message: 'O serviço não pode responder agora. Tente de novo em instantes.',
    advice: startAgain,
  },
  misread: {
    title: notUnderstood,
    message: 'O pedido não veio desta página.',
    advice: startAgain,
  },
  malformed: {
    title: notUnderstood,
    message: 'O pedido do cliente não tem a forma necessária.',
    advice: 'Quem desenvolve o cliente precisa corrigir isto; você não pode alterá-lo aqui.',
  },
  answered: {
    title: 'Este pedido já foi respondido',
    message: 'Você já respondeu a este pedido. Cada pedido é respondido uma vez, e o cliente tem sua resposta.',
    advice: 'Volte ao seu cliente. Se ele não estiver conectado, inicie a conexão de novo por lá.',
  },
  clientUnknown: {
    title: 'Este cliente não está registrado aqui',
    message: 'Nenhum cliente está registrado com o identificador que este enviou.',
    advice: 'Remova este servidor do seu cliente e adicione-o de novo, para que ele se registre outra vez.',
  },
  clientRevoked: {
    title: 'Este cliente não pode mais se conectar',
    message: 'O registro deste cliente foi revogado.',
    advice:
      'Remova este servidor do seu cliente e adicione-o de novo, ou pergunte a um superadministrador por que foi revogado.',
  },
  clientDocument: {
    title: 'Não é possível identificar este cliente',
    message: 'O documento em que este cliente se descreve não pode ser usado.',
    advice:
      'Aguarde um minuto e conecte de novo. Se esta página voltar, informe a quem desenvolve o cliente o que está escrito abaixo. Um superadministrador encontra mais entre as conexões no portal.',
  },
  redirectUri: {
    title: 'Não é possível responder a este cliente',
    message:
      'O URI de redirecionamento não é um que este cliente registrou e pode usar aqui. Só a porta de um endereço de loopback pode ser diferente.',
    advice:
      'Para quem o desenvolve: registre exatamente este URI de redirecionamento. Se não for um endereço de loopback, ele também precisa estar em MCP_REDIRECT_ALLOW_LIST deste serviço.',
  },
  expired: {
    title: 'Este pedido terminou',
    message: 'Este pedido não existe ou expirou após dez minutos.',
    advice: startAgain,
  },
  otherBrowser: {
    title: 'Este pedido é de outro navegador',
    message: 'Este pedido começou em outro navegador, ou este navegador não guardou o cookie dele.',
    advice:
      'Responda no navegador que seu cliente abriu, com os cookies ativados, ou inicie a conexão de novo a partir daqui.',
  },
  otherPage: {
    title: 'Sua resposta não contou',
    message:
      'Esta resposta não veio da página deste serviço, ou outra pessoa entrou aqui desde que a página foi mostrada.',
    advice: 'Nada foi decidido. Abra esta página de novo para ver o pedido.',
  },
};
