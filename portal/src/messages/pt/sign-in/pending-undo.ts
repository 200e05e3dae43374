/** The messages of ../../en/sign-in/pending-undo.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/pending-undo.ts';

export const pendingUndo: Translated<typeof english.pendingUndo> = {
  title: 'Ainda não é possível',
  text: 'O endereço de e-mail da sua conta foi alterado, e o anterior permite desfazer isso até {until}. Até lá, o que a conta tinha antes continua como está. Nada mudou.',
};
