/** The messages of ../../en/organization/invitation.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invitation.ts';

export const invitation: Translated<typeof english.invitation> = {
  title: 'Convite',
  join: 'Participar de {organization}',
  as: {
    OWNER: 'Este convite é para participar como proprietário.',
    ADMIN: 'Este convite é para participar como administrador.',
    MEMBER: 'Este convite é para participar como membro.',
    other: 'Este convite é para participar com a função {role}.',
  },
  openUntil: 'O convite está aberto até {date}.',
  completeProfile: {
    lead: 'Escolha o nome e a senha que você vai usar aqui.',
    submit: 'Criar conta e participar',
    address:
      'Sua conta vai pertencer ao endereço para o qual este convite foi enviado. Se você já tem uma com outro endereço, ela não pode aceitar este convite: peça a quem convidou você que convide esse outro endereço.',
  },
  signIn: {
    lead: 'O endereço para o qual este convite foi enviado já tem uma conta. Entre com ele e você poderá aceitar aqui.',
    submit: 'Entrar para aceitar',
  },
  accept: {
    lead: 'Você entrou como <who>{email}</who>. Se aceitar, você passa a participar de {organization}. Você continua nas suas outras organizações.',
    submit: 'Aceitar o convite',
    later: 'Agora não',
  },
  otherAccount: {
    title: 'Este convite é para outra pessoa',
    lead: 'Você entrou como <who>{email}</who>, e o convite para {organization} foi enviado a outro endereço.',
    advice:
      'Se esse endereço também é seu, saia aqui e continue com ele. Se não, peça a quem convidou você que convide o endereço que você usa.',
    submit: 'Sair e continuar',
    stay: 'Continuar nesta conta',
  },
  EXPIRED: {
    title: 'Este convite expirou',
    text: 'Ele era para participar de {organization}. Peça a quem o enviou que o envie de novo: um novo link chega então ao mesmo endereço.',
  },
  ACCEPTED: {
    title: 'Este convite já foi aceito',
    text: 'O link funciona uma vez e já foi usado para participar de {organization}.',
    visitor: 'Se foi você, entre como de costume.',
    signedIn: 'Se foi você, não há mais nada a fazer.',
  },
  unknown: {
    title: 'Este convite não funciona',
    text: 'Ele pode ter sido retirado ou substituído por uma mensagem mais recente: procure-a e use o link dela. Se não houver nenhuma, peça a quem convidou você que envie o convite de novo.',
  },
  seats:
    'Peça a quem convidou você que libere um lugar. O convite continua aberto, e então você poderá aceitá-lo aqui.',
  changed: 'O convite mudou nesse meio-tempo. Esta página agora mostra a situação atual dele.',
};
