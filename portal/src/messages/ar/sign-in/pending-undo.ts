/** The messages of ../../en/sign-in/pending-undo.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/pending-undo.ts';

export const pendingUndo: Translated<typeof english.pendingUndo> = {
  title: 'غير ممكن بعد',
  text: 'تغيّر عنوان البريد الإلكتروني لحسابك، ويمكن التراجع عن ذلك من العنوان السابق حتى {until}. وحتى ذلك الحين يبقى ما كان للحساب قبل التغيير كما هو. لم يتغير شيء.',
};
