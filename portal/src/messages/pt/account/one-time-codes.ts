/** The messages of ../../en/account/one-time-codes.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/one-time-codes.ts';

export const oneTimeCodes: Translated<typeof english.oneTimeCodes> = {
  title: 'Códigos de uso único',
  lead: 'Depois da sua senha, a entrada pede um código de um aplicativo autenticador.',
  off: 'Desativados',
  offText: 'Quem souber sua senha pode entrar só com ela.',
  on: 'Ativados',
  recoveryCodesLeft:
    '{count, plural, =0 {Não resta nenhum código de recuperação. Crie novos.} one {Resta # código de recuperação.} other {Restam # códigos de recuperação.}}',
  setUp: 'Configurar',
  useOtherApp: 'Usar outro aplicativo',
  newRecoveryCodes: 'Novos códigos de recuperação',
  turnOff: 'Desativar',
  turnedOff: 'Os códigos de uso único estão desativados. A partir de agora, você entra sem eles.',
  setUpTitle: 'Configurar códigos de uso único',
  scan: 'Escaneie isto com seu aplicativo autenticador.',
  qrCode: 'Código QR para seu aplicativo autenticador',
  byHand: 'Ou digite esta chave no aplicativo:',
  open: 'Abrir um aplicativo neste dispositivo',
  code: 'Código de seis dígitos que o aplicativo mostra',
  wrongCode:
    'O código está errado. Verifique se o relógio do seu dispositivo está certo e digite o código mais recente.',
  expired: 'Isso levou mais de dez minutos ou foi recomeçado em outro lugar. Comece de novo com um novo código QR.',
  startAgain: 'Começar de novo',
  confirm: 'Ativar',
  codesTitle: 'Guarde estes códigos de recuperação',
  codesLead:
    'Cada um permite entrar uma vez quando você estiver sem o aplicativo. Eles só são mostrados agora. Guarde-os onde só você os encontre, e não no dispositivo com o aplicativo.',
  codesOf: 'Códigos de recuperação de {email} em {application}',
  copy: 'Copiar',
  copied: 'Os códigos foram copiados.',
  notCopied: 'O navegador não permitiu copiar. Selecione os códigos ou baixe-os.',
  download: 'Baixar',
  print: 'Imprimir',
  done: 'Eu os guardei',
  confirmOff: {
    title: 'Desativar os códigos de uso único?',
    text: 'Você vai entrar sem código. Seus códigos de recuperação deixam de funcionar.',
    submit: 'Desativar',
  },
  confirmNew: {
    title: 'Criar novos códigos de recuperação?',
    text: 'Os códigos de recuperação que você tem agora deixam de funcionar.',
    submit: 'Criar novos códigos',
  },
};

export const secondFactor: Translated<typeof english.secondFactor> = {
  title: 'Digite seu código',
  lead: 'Sua conta pede um código do seu aplicativo autenticador.',
  leadRecovery: 'Digite um dos seus códigos de recuperação. Cada um funciona uma vez.',
  code: 'Código de seis dígitos',
  recoveryCode: 'Código de recuperação',
  submit: 'Entrar',
  useRecoveryCode: 'Usar um código de recuperação',
  useApp: 'Usar um código do aplicativo',
  noRecoveryCode: 'Não resta nenhum dos seus códigos de recuperação.',
  passkey: 'Você também pode começar de novo e entrar com sua chave de acesso.',
  wrong: 'O código está errado ou já foi usado.',
  limited: 'Houve códigos errados demais. Aguarde {minutes, plural, one {# minuto} other {# minutos}}.',
  limitedRecovery: 'Enquanto isso, um código de recuperação funciona.',
  overTitle: 'Esta tentativa de entrada terminou',
  over: 'Ela levou mais de cinco minutos ou houve códigos errados demais. Nada mudou.',
  startAgain: 'Entrar de novo',
  lost: 'Você não tem o aplicativo nem um código de recuperação?',
  lostText:
    'Só o operador deste serviço pode remover os códigos da sua conta, depois de ter certeza de que é você quem pede.',
  support: 'Pedir ajuda',
};
