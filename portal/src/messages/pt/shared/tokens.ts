/** The messages of ../../en/shared/tokens.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/tokens.ts';

export const tokens: Translated<typeof english.tokens> = {
  statuses: {
    ACTIVE: 'Ativo',
    PENDING: 'Aguardando aprovação',
    BLOCKED: 'Bloqueado pela política',
    EXPIRED: 'Expirado',
    REVOKED: 'Revogado',
  },
  why: {
    PENDING: 'Ele funcionará assim que uma pessoa que gerencia os tokens de {organization} o aprovar.',
    BLOCKED: 'A política de {organization} o bloqueia agora. Ele voltará a funcionar quando a política permitir.',
  },
  organization: 'Organização',
  scopes: 'Pode',
  lastCharacters: 'Segredo',
  endsIn: 'termina em <code>{characters}</code>',
  expires: 'Expira',
  expired: 'Expirou',
  revoked: 'Revogado',
  lastUsed: 'Último uso',
  usedFrom: '{when}, de {address}',
  neverUsed: 'Nunca',
  previousSecret: 'O segredo anterior também funciona até {date}.',
  rotate: 'Renovar',
  rotateOne: 'Renovar {name}, que termina em {characters}',
  revoke: 'Revogar',
  revokeOne: 'Revogar {name}, que termina em {characters}',
  wasRevoked: '{name} está revogado e não funciona mais.',
  rotation: {
    title: 'Renovar {name}?',
    text: 'Você recebe um novo segredo, que é mostrado uma só vez e vale pelo mesmo tempo que o atual.',
    overlap: 'O segredo atual continua funcionando',
    seconds0: 'Não: termina imediatamente',
    seconds3600: 'Por 1 hora',
    seconds86400: 'Por 1 dia',
    seconds604800: 'Por 7 dias',
    submit: 'Renovar token',
  },
  revocation: {
    title: 'Revogar {name}?',
    text: 'O que o usa perde o acesso imediatamente, também com um segredo anterior. Não é possível desfazer.',
    submit: 'Revogar token',
  },
  secret: {
    title: 'Copie agora o segredo de {name}',
    text: 'Ele é mostrado só desta vez. Guarde-o como uma senha: com ele, um programa pode fazer tudo o que o token permite.',
    pending: 'Ele ainda não funciona: antes, uma pessoa que gerencia os tokens precisa aprová-lo.',
    name: 'Segredo',
    copy: 'Copiar o segredo',
    example: 'Como usar',
    exampleLead: 'Defina o segredo como TOKEN no seu shell e depois:',
    copyExample: 'Copiar o exemplo',
    done: 'Já guardei',
  },
  refusals: {
    missing: 'Você mesmo não pode fazer isto na organização: {scopes}.',
    limitTitle: 'Não são permitidos mais',
    limit: 'Remova um que não seja mais necessário e tente de novo.',
    limitOfAccount:
      'Uma conta de serviço tem no máximo dois tokens válidos. Revogue um, ou renove um para obter um novo segredo.',
  },
};

export const tokenForm: Translated<typeof english.tokenForm> = {
  scopes: 'O que pode fazer',
  scopesMissing: 'Escolha pelo menos uma opção.',
  expiry: 'Expira',
  inDays: '{days, plural, one {Em # dia} other {Em # dias}}',
  onDate: 'Em uma data à sua escolha',
  date: 'Data de expiração',
  dateMissing: 'Escolha uma data futura.',
  submit: 'Criar token',
};

export const ownTokens: Translated<typeof english.ownTokens> = {
  title: 'Tokens pessoais',
  lead: 'Com um token pessoal, um script ou programa seu usa a API em seu nome, sem a sua senha.',
  list: 'Seus tokens',
  ended: 'Encerrados nos últimos 90 dias',
  none: 'Você não tem tokens pessoais. Crie um para um script, um servidor de build ou uma ferramenta que chama a API. Um token só pode fazer o que você escolher, e nunca mais do que você. Você pode revogá-lo a qualquer momento.',
  life: 'Um token pessoal termina quando você o revoga, sai da organização dele ou sai de todos os dispositivos. Uma nova senha não muda isso.',
  create: 'Criar um token',
  createTitle: 'Novo token pessoal',
  createLead: 'Ele funciona só em {organization}.',
  name: 'Nome',
  nameHint: 'Para você reconhecê-lo, por exemplo “script de backup”.',
  nameMissing: 'Digite um nome para o token.',
  noOrganization: 'Um token funciona em uma organização. Escolha uma primeiro.',
  noScopes: 'Você não pode fazer nada em {organization} no momento, então um token também não poderia.',
  forbidden: '{organization} não permite tokens pessoais no momento. Fale com uma pessoa que gerencia os tokens.',
};
