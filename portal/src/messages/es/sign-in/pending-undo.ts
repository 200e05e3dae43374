/** The messages of ../../en/sign-in/pending-undo.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/pending-undo.ts';

export const pendingUndo: Translated<typeof english.pendingUndo> = {
  title: 'Aún no es posible',
  text: 'Se cambió la dirección de correo electrónico de tu cuenta, y desde la anterior se puede deshacer hasta el {until}. Hasta entonces, lo que la cuenta tenía antes se queda como está. Nada ha cambiado.',
};
