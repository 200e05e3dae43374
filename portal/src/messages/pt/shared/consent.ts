/** The messages of ../../en/shared/consent.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/consent.ts';

export const consent: Translated<typeof english.consent> = {
  title: 'Você permite o uso de análises?',
  text: 'Se você permitir, um identificador aleatório para análises é guardado por 30 dias com um cookie deste navegador. Se recusar, não há identificador, apenas sua resposta. A entrada funciona da mesma forma nos dois casos, e você pode mudar sua resposta.',
  allow: 'Permitir',
  decline: 'Recusar',
  now: {
    allowed: 'No momento, você permite. Se recusar agora, o identificador é excluído.',
    declined: 'No momento, você recusa.',
  },
  change: 'Escolha de privacidade',
  notRecorded: 'Sua resposta não foi salva. Tente de novo.',
  recorded: {
    allowed: 'Análises permitidas.',
    declined: 'Análises recusadas. Nenhum identificador é guardado.',
    withdrawn: 'Permissão retirada. O identificador foi excluído.',
  },
  section: {
    title: 'Privacidade',
    lead: 'Se análises podem ser usadas neste navegador.',
    open: {
      title: 'Você ainda não respondeu',
      text: 'Enquanto você não permitir, nenhum identificador para análises é guardado.',
    },
    allowed: {
      title: 'Você permite análises',
      text: 'Um identificador aleatório é guardado para este navegador até 30 dias depois da sua resposta. Se você retirar a permissão, ele é excluído na hora; se permitir de novo, um novo é criado.',
    },
    declined: {
      title: 'Você recusa análises',
      text: 'Nenhum identificador é guardado, apenas esta resposta, por 30 dias.',
    },
    id: 'Seu identificador:',
    allow: 'Permitir análises',
    withdraw: 'Retirar',
  },
};
