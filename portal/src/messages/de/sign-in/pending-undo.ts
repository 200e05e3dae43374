/** The messages of ../../en/sign-in/pending-undo.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/pending-undo.ts';

export const pendingUndo: Translated<typeof english.pendingUndo> = {
  title: 'Noch nicht möglich',
  text: 'Die E-Mail-Adresse Ihres Kontos wurde geändert, und von der früheren aus lässt sich das bis zum {until} rückgängig machen. Bis dahin bleibt, was das Konto vorher hatte, wie es ist. Es hat sich nichts geändert.',
};
