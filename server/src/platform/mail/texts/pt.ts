/** The mails in Portuguese, which says “você”, without regional forms. */
import type { MailTexts } from '../mails.ts';
import { tokenTexts } from './tokens/pt.ts';

const signIn = 'Entrar';
const seeSecurity = 'Ver a segurança da sua conta';
const seeWays = 'Ver suas formas de entrar';
const seeDevices = 'Ver seus dispositivos';
const strangerHasSession =
  'Se não foi você, outra pessoa está na sua conta: saia de todos os dispositivos em “Seus dispositivos” e fale com o operador deste serviço.';
const inviteRole =
  '{role, select, OWNER { como proprietário} ADMIN { como administrador} MEMBER { como membro} named { com a função “{roleTitle}”} other {}}';
const inviteEnd = 'O link mostra o convite. Você só participa se o aceitar nos próximos 7 dias.';
const inviteRemark =
  'Este convite é para {email}. Não encaminhe este e-mail: quem tiver o link poderá participar no seu lugar. Se você não sabe quem está convidando, ignore este e-mail.';
const kept =
  'Até pouco tempo atrás, era o endereço de uma conta, e o link do nosso e-mail sobre essa alteração pode restaurá-lo até {until}. Até lá, nenhuma outra conta pode usá-lo.';
const account = '{hasEmail, select, yes {a conta {email} de {provider}} other {uma conta de {provider}}}';
const linkedByAddress = `Em {at}, ${account} foi conectada à sua conta porque tem o seu endereço e foi usada para entrar aqui. A partir de agora, ela pode ser usada para entrar na sua conta.`;
const disconnect =
  'Se não foi você, entre com sua senha, desconecte {provider} em “Formas de entrar” e saia de todos os dispositivos em “Seus dispositivos”.';
const disconnectAndSecure = `${disconnect} Nesse caso, outra pessoa talvez possa usar {provider} com o seu endereço: proteja também essa conta.`;
const secureProvider =
  'Se não foi você, outra pessoa pode usar {provider} com o seu endereço: proteja essa conta e fale com o operador deste serviço.';
const nothingToDo = 'Se não foi você, não é preciso fazer nada: a resposta não revelou que você tem uma conta.';
const way = '{way, select, password {sua senha} other {sua chave de acesso}}';
const changedByOwner = 'Se foi você quem alterou o endereço da conta, não é preciso fazer nada.';
const notAsked = 'Se você não pediu isso, fale com o operador deste serviço.';
const canSignInWith = 'Agora você pode entrar com {provider}';
const keptTokens =
  '{tokens, plural, =0 {} one { Seu token pessoal continua válido: uma nova senha não o encerra.} other { Seus # tokens pessoais continuam válidos: uma nova senha não os encerra.}}';

export const texts: MailTexts = {
  shared: {
    greeting: 'Olá, {name},',
    greetingWithoutName: 'Olá,',
    support: 'Suporte:',
    openAddress: 'Se o botão não funcionar, abra este endereço:',
    identityProvider: 'seu provedor de identidade',
  },
  verification: {
    subject: 'Confirme seu endereço de e-mail',
    body: 'Em {at}, uma conta foi pedida com este endereço. Se foi você, confirme que o endereço é seu e você poderá entrar com a senha que escolheu naquele momento.',
    action: 'Confirmar meu endereço',
    secondAction: 'Não pedi isso',
    remark:
      'O primeiro link funciona uma única vez, por 24 horas. O segundo exclui a conta que foi pedida: use-o se não foi você, ou para começar de novo com outra senha. Se você não usar nenhum dos dois, a conta não poderá ser usada e será excluída uma semana depois que o primeiro link expirar.',
  },
  alreadyRegistered: {
    subject: 'Você já tem uma conta',
    body: 'Em {at}, houve uma tentativa de cadastro com este endereço, provavelmente feita por você. O endereço já tem uma conta, e nada nela mudou.',
    action: signIn,
    remark: nothingToDo,
  },
  alreadyRegisteredChange: {
    subject: 'Você já tem uma conta',
    body: 'Em {at}, uma pessoa com uma sessão aberta em outra conta, provavelmente você, pediu para usar este endereço nela. O endereço já tem uma conta, e nada nela mudou.',
    action: signIn,
    remark: nothingToDo,
  },
  addressKept: {
    subject: 'Este endereço está reservado para uma conta',
    body: `Em {at}, houve uma tentativa de cadastro com este endereço. ${kept}`,
    remark: changedByOwner,
  },
  addressKeptChange: {
    subject: 'Este endereço está reservado para uma conta',
    body: `Em {at}, uma pessoa com uma sessão aberta em outra conta pediu para usar este endereço nela. ${kept}`,
    remark: changedByOwner,
  },
  emailChangeConfirmation: {
    subject: 'Confirme seu novo endereço de e-mail',
    body: 'Em {at}, uma pessoa com uma sessão aberta na conta de {email} pediu para usar este endereço nela. Se foi você, abra o link e confirme a alteração.\n\nA partir daí, você entra com este endereço, e os e-mails da conta são enviados para ele.',
    action: 'Confirmar meu novo endereço',
    remark:
      'O link funciona uma única vez, por 24 horas, e só para quem tem uma sessão aberta na conta. Se não foi você, não é preciso fazer nada: nada muda.',
  },
  emailChangeRequested: {
    subject: 'Um novo endereço de e-mail foi pedido para sua conta',
    body: 'Em {at}, o endereço {newEmail} foi pedido para sua conta em uma sessão aberta nela. Nada muda até que o novo endereço seja confirmado; então, este endereço será avisado.',
    action: 'Ver sua conta',
    remark:
      'Se não foi você, outra pessoa está na sua conta: altere sua senha e saia de todos os dispositivos. Qualquer uma das duas ações encerra o pedido.',
  },
  emailChanged: {
    subject: 'O endereço de e-mail da sua conta foi alterado',
    body: 'Em {at}, o endereço da sua conta foi alterado de {email} para {newEmail}. Se foi você, não é preciso fazer nada.\n\nSe não foi você, desfaça a alteração com este link. Ele restaura este endereço, e a senha e as outras formas de entrar que a conta tinha 72 horas antes de a alteração ser pedida, remove as adicionadas desde então e encerra a sessão em todos os dispositivos.',
    action: 'Desfazer a alteração',
    remark:
      'O link funciona uma única vez, por 72 horas. Não encaminhe este e-mail: quem tiver o link pode desfazer a alteração.',
  },
  emailChangeUndone: {
    subject: 'O endereço de e-mail da sua conta foi restaurado',
    body: 'Sua conta tem de novo este endereço e as formas de entrar que tinha em {at}: a senha (ou a que o operador definiu depois), as chaves de acesso, os códigos de uso único e as conexões com um provedor daquele momento, e nada do que foi adicionado depois. A sessão foi encerrada em todos os dispositivos e clientes.\n\nSe você não pediu a alteração que foi desfeita, outra pessoa estava na sua conta: entre e altere sua senha.',
    action: signIn,
    remark: 'Se você não conseguir entrar, fale com o operador deste serviço.',
  },
  invitation: {
    subject: 'Convite para participar de “{organization}”',
    body: `{inviter} convida você a participar de “{organization}”${inviteRole}.\n\n${inviteEnd}`,
    action: 'Ver o convite',
    remark: inviteRemark,
  },
  invitationByOperator: {
    subject: 'Convite para participar de “{organization}”',
    body: `Você recebeu um convite para participar de “{organization}”${inviteRole}.\n\n${inviteEnd}`,
    action: 'Ver o convite',
    remark: inviteRemark,
  },
  oneTimeCodesAdded: {
    subject: 'Para entrar, agora é preciso um código de uso único',
    body: 'Em {at}, um aplicativo autenticador foi adicionado à sua conta em uma sessão aberta nela. Depois da senha, a entrada pede um código desse aplicativo ou um código de recuperação.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesReplaced: {
    subject: 'Seus códigos de uso único agora vêm de outro aplicativo',
    body: 'Em {at}, um aplicativo autenticador substituiu o anterior em uma sessão aberta na sua conta. Os códigos do anterior e os códigos de recuperação antigos não são mais aceitos.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesRemoved: {
    subject: 'Para entrar, não é mais preciso um código de uso único',
    body: 'Em {at}, o aplicativo autenticador e os códigos de recuperação da sua conta foram removidos em uma sessão aberta nela.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodesRenewed: {
    subject: 'Seus códigos de recuperação foram substituídos',
    body: 'Em {at}, novos códigos de recuperação foram criados em uma sessão aberta na sua conta. Os anteriores não são mais aceitos.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodeUsed: {
    subject: 'Um código de recuperação da sua conta foi usado',
    body: 'Em {at}, um código de recuperação foi usado no lugar de um código de uso único. {left, plural, =0 {Não resta nenhum: crie novos.} one {Resta um.} other {Restam #.}}',
    action: seeSecurity,
    remark:
      'Se não foi você, outra pessoa tem seus códigos de recuperação e sua senha: altere a senha e crie novos códigos de recuperação.',
  },
  passkeyAdded: {
    subject: 'Uma chave de acesso foi adicionada à sua conta',
    body: 'Em {at}, a chave de acesso “{passkey}” foi adicionada à sua conta em uma sessão aberta nela. A partir de agora, ela pode ser usada para entrar na sua conta.',
    action: 'Ver suas chaves de acesso',
    remark:
      'Se não foi você, outra pessoa está na sua conta: saia de todos os dispositivos em “Seus dispositivos”, altere sua senha e fale com o operador deste serviço, que pode remover a chave de acesso.',
  },
  passkeyRemoved: {
    subject: 'Uma chave de acesso foi removida da sua conta',
    body: 'Em {at}, a chave de acesso “{passkey}” foi removida da sua conta em uma sessão aberta nela. Ela não serve mais para entrar na sua conta. Suas sessões continuam abertas.',
    action: 'Ver suas chaves de acesso',
    remark: 'Se não foi você, entre, altere sua senha e saia de todos os dispositivos em “Seus dispositivos”.',
  },
  passwordAdded: {
    subject: 'Agora você pode entrar com uma senha',
    body: `Em {at}, uma senha foi adicionada à sua conta em uma sessão aberta nela. A sessão foi encerrada em todos os outros dispositivos e clientes.${keptTokens}`,
    action: seeDevices,
    remark: 'Se não foi você, outra pessoa está na sua conta: fale com o operador deste serviço.',
  },
  passwordChanged: {
    subject: 'A senha da sua conta foi alterada',
    body: `Em {at}, a senha da sua conta foi alterada em uma sessão aberta nela. A sessão foi encerrada em todos os outros dispositivos e clientes.${keptTokens}`,
    action: seeDevices,
    remark:
      'Se não foi você, outra pessoa conhece sua senha anterior e está na sua conta: fale com o operador deste serviço.',
  },
  passwordRemoved: {
    subject: 'A senha da sua conta foi removida',
    body: 'Em {at}, a senha da sua conta foi removida em uma sessão que começou com {provider}. A sessão foi encerrada em todos os outros dispositivos e clientes. A partir de agora, você entra com {provider}.',
    action: seeWays,
    remark: secureProvider,
  },
  passwordSetByOperator: {
    subject: 'O operador deste serviço definiu uma nova senha para sua conta',
    body: 'Em {at}, o operador deste serviço definiu uma nova senha para sua conta, e a sessão foi encerrada em todos os dispositivos e clientes. O operador informa a senha a você por outro meio que não o e-mail.\n\nEntre com ela e altere-a na sua conta: só você conhecerá a próxima.',
    action: signIn,
    remark: notAsked,
  },
  secondFactorRemoved: {
    subject: 'O segundo fator da sua conta foi removido',
    body: 'Em {at}, o operador deste serviço removeu as chaves de acesso, os códigos de uso único e os códigos de recuperação da sua conta. Nenhum deles funciona mais.\n\nA partir de agora, você entra sem eles e pode adicionar novos na sua conta.',
    action: 'Ver sua conta',
    remark: notAsked,
  },
  identityLinked: {
    subject: canSignInWith,
    body: linkedByAddress,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedWithPassword: {
    subject: canSignInWith,
    body: `${linkedByAddress}\n\nA conta também tem uma senha. Se não foi você quem a definiu, entre com {provider}: vamos perguntar uma vez se ela deve ser removida, o que encerra a sessão em todos os outros dispositivos.`,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedInsteadOfPassword: {
    subject: canSignInWith,
    body: `${linkedByAddress}\n\nAntes disso, o endereço da conta não estava confirmado; por isso, a senha da conta foi removida, e todas as sessões que começaram com ela terminaram.`,
    action: seeWays,
    remark: secureProvider,
  },
  identityLinkedInSession: {
    subject: canSignInWith,
    body: `Em {at}, ${account} foi conectada à sua conta em uma sessão aberta nela. A partir de agora, ela pode ser usada para entrar na sua conta.`,
    action: seeWays,
    remark: disconnect,
  },
  identityUnlinked: {
    subject: 'Você não pode mais entrar com {provider}',
    body: `Em {at}, ${account} foi desconectada da sua conta em uma sessão aberta nela. A partir de agora, você entra com ${way}.\n\nSuas sessões continuam abertas. Se você entrar de novo com {provider} e este endereço, ela talvez seja conectada de novo.`,
    action: seeWays,
    remark: `Se não foi você, entre com ${way} e saia de todos os dispositivos em “Seus dispositivos”.`,
  },
  personalTokenReported: {
    subject: 'Seu token pessoal “{token}” foi denunciado como vazado',
    body: 'Em {at}, recebemos uma denúncia de que seu token pessoal “{token}” para {organization} vazou. A denúncia continha o próprio token, por isso ele foi revogado imediatamente, com todos os seus segredos ainda válidos.\n\nDescubra onde o token vazou e para que foi usado desde então. Se você ainda precisa de um, crie um novo token.',
    action: 'Ver sua conta',
    remark:
      'Essas denúncias são enviadas por programas que procuram segredos, e qualquer pessoa que tenha encontrado um token também pode enviá-las. Este e-mail não repete nada da denúncia, porque não sabemos quem a enviou.',
  },
  serviceTokenReported: {
    subject: 'Um token de “{serviceAccount}” foi denunciado como vazado',
    body: 'Em {at}, recebemos uma denúncia de que um token da conta de serviço “{serviceAccount}” de {organization} vazou. A denúncia continha o próprio token, por isso ele foi revogado imediatamente, com todos os seus segredos ainda válidos.\n\nO que usa o token não tem mais acesso. Descubra onde o token vazou e para que foi usado desde então, e crie um novo token para a conta de serviço.',
    action: 'Abrir o portal',
    remark:
      'Você recebe este e-mail porque gerencia os tokens da organização. Ele não repete nada da denúncia, porque não sabemos quem a enviou.',
  },
  sessionReported: {
    subject: 'Uma sessão da sua conta foi encerrada porque o token dela vazou',
    body: 'Em {at}, recebemos uma denúncia de que um token de uma das suas sessões vazou. A denúncia continha o próprio token, por isso a sessão foi encerrada imediatamente. Suas outras sessões continuam abertas.\n\nO token de uma sessão fica na memória de um navegador ou cliente. Se ele vazou, a causa pode ser um programa no dispositivo ou um registro publicado.',
    action: 'Ver sua conta',
    remark:
      'Se você não sabe como o token vazou, saia de todos os dispositivos em “Seus dispositivos”. Este e-mail não repete nada da denúncia, porque não sabemos quem a enviou.',
  },
  suspended: {
    subject: 'Sua conta foi suspensa',
    body: 'Em {at}, um administrador deste serviço suspendeu sua conta. A sessão foi encerrada em todos os dispositivos e clientes, e não é possível entrar na conta até que ela seja reativada.\n\nO que pertence à conta é mantido.',
    remark: 'Se você tiver alguma dúvida sobre isso, fale com o operador deste serviço.',
  },
  reinstated: {
    subject: 'Sua conta foi reativada',
    body: 'Em {at}, a suspensão da sua conta terminou. Você pode entrar de novo.',
    action: signIn,
    remark:
      'As sessões anteriores continuam encerradas: entre de novo em cada dispositivo e conecte de novo os clientes MCP.',
  },
  organizationDeleted: {
    subject: '{organization} foi excluída',
    body: '{deleter} excluiu a organização {organization}. Os membros dela não podem mais usá-la, e os convites dela não funcionam mais.\n\nAté {until}, um proprietário pode restaurá-la como estava. Depois disso, ela é excluída definitivamente.',
    action: 'Ver suas organizações',
    remark: 'Você recebe este e-mail porque é proprietário da organização.',
  },
  ...tokenTexts,
  accountDeleted: {
    subject: 'Sua conta foi excluída',
    body: 'Em {at}, sua conta, com tudo o que guardávamos sobre você, foi excluída em uma sessão aberta nela. Ela não pode ser restaurada.\n\nEste endereço está livre: você pode criar de novo uma conta com ele.',
    remark: 'Se não foi você, outra pessoa estava na sua conta: fale com o operador deste serviço.',
  },
};
