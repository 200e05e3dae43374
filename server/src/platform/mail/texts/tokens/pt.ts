/** The mails about tokens in Portuguese. */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes { a partir do endereço {address}} other {}}';
const seeOwn = 'Ver seus tokens pessoais';
const seeManaged = 'Ver os tokens da organização';
const strangerHasSession =
  'Se não foi você, outra pessoa está na sua conta: revogue o token, saia de todos os dispositivos em “Seus dispositivos” e altere sua senha.';
const youManage = 'Você recebe este e-mail porque gerencia os tokens de “{organization}”.';
const ifUnexpected = `Se você não esperava por isso, pergunte a essa pessoa e, em caso de dúvida, revogue o token. ${youManage}`;
const within = '{days, plural, one {# dia} other {# dias}}';
const expires =
  'expira em {until}. A partir daí, toda solicitação feita com ele é recusada.\n\nSe ele ainda for necessário, dê a ele um novo segredo antes disso: o atual continua valendo pelo tempo que você escolher.';

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: 'O token pessoal “{token}” foi criado',
    body: `Em {at}, o token pessoal “{token}” para “{organization}” foi criado em uma sessão aberta na sua conta${from}.\n\n{isPending, select, yes {Ele não pode ser usado até que uma pessoa que gerencia os tokens lá o aprove.} other {Um programa que o tenha age em seu lugar, dentro das permissões dele, até que ele expire ou seja revogado.}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: 'O token pessoal “{token}” tem um novo segredo',
    body: `Em {at}, o token pessoal “{token}” para “{organization}” recebeu um novo segredo em uma sessão aberta na sua conta${from}. O anterior vale apenas durante o período de transição escolhido.`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: 'O token pessoal “{token}” foi aprovado',
    body: 'Em {at}, uma pessoa que gerencia os tokens de “{organization}” aprovou seu token pessoal “{token}”. Ele pode ser usado a partir de agora.',
    action: seeOwn,
    remark: 'Se você não criou este token, revogue-o e saia de todos os dispositivos em “Seus dispositivos”.',
  },
  personalTokenRefused: {
    subject: 'O token pessoal “{token}” foi recusado',
    body: 'Em {at}, uma pessoa que gerencia os tokens de “{organization}” recusou seu token pessoal “{token}”. Ele terminou definitivamente.',
    action: seeOwn,
    remark: 'Se você tiver alguma dúvida, pergunte a quem gerencia os tokens de “{organization}”.',
  },
  personalTokenWaiting: {
    subject: 'Um token pessoal aguarda aprovação em “{organization}”',
    body: 'Em {at}, {person} criou o token pessoal “{token}” para “{organization}”. Ele não pode ser usado até que você ou outra pessoa que gerencia os tokens o aprove.',
    action: 'Decidir sobre o token',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'Um token da conta de serviço “{account}” foi criado',
    body: `Em {at}, {person} criou um token da conta de serviço “{account}” em “{organization}”${from}.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'Um token da conta de serviço “{account}” tem um novo segredo',
    body: `Em {at}, {person} deu um novo segredo a um token da conta de serviço “{account}” em “{organization}”${from}. O anterior vale apenas durante o período de transição escolhido.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'A conta de serviço “{account}” tem mais permissões',
    body: 'Em {at}, {person} deu mais permissões à conta de serviço “{account}” em “{organization}”: {scopes}. Os tokens dela as têm a partir de agora.',
    action: seeManaged,
    remark: `Se você não esperava por isso, pergunte a essa pessoa e, em caso de dúvida, retire as permissões. ${youManage}`,
  },
  tokenPolicyChanged: {
    subject: 'A política de tokens de “{organization}” foi alterada',
    body: 'Em {at}, {person} alterou a política de “{organization}” para tokens. Os tokens que a política recusa ficam bloqueados e voltam a funcionar quando ela os permite.',
    action: 'Ver a política',
    remark: `Se você não esperava por isso, pergunte a essa pessoa. ${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, one {Renove os tokens de uma conta de serviço} other {Renove os tokens de # contas de serviço}}: uma pessoa que os viu saiu de “{organization}”',
    body: 'Em {at}, {person} saiu de “{organization}”. Essa pessoa viu {count, plural, one {o segredo de um token desta conta de serviço} other {os segredos de tokens destas contas de serviço}}: {accounts}.\n\nOs tokens continuam válidos. Dê a eles novos segredos, para que só quem continua na organização os conheça.',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `Seu token pessoal “{token}” expira em até ${within}`,
    body: `Seu token pessoal “{token}” para “{organization}” ${expires}`,
    action: seeOwn,
    remark: 'Se ele não for mais necessário, você não precisa fazer nada.',
  },
  serviceTokenExpires: {
    subject: `Um token da conta de serviço “{account}” expira em até ${within}`,
    body: `Um token da conta de serviço “{account}” em “{organization}” ${expires}`,
    action: seeManaged,
    remark: `Se ele não for mais necessário, você não precisa fazer nada. ${youManage}`,
  },
};
