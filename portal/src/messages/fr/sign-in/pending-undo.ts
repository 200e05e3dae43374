/** The messages of ../../en/sign-in/pending-undo.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/pending-undo.ts';

export const pendingUndo: Translated<typeof english.pendingUndo> = {
  title: 'Pas encore possible',
  text: 'L’adresse e-mail de votre compte a été modifiée, et l’ancienne permet d’annuler cela jusqu’au {until}. D’ici là, ce que le compte avait auparavant reste tel quel. Rien n’a changé.',
};
