/** The messages of ../../en/sign-in/pending-undo.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/pending-undo.ts';

export const pendingUndo: Translated<typeof english.pendingUndo> = {
  title: 'まだ実行できません',
  text: 'アカウントのメールアドレスが変更され、{until}までは以前のアドレスから元に戻すことができます。それまで、変更前からアカウントにあったものはそのまま残ります。何も変更されていません。',
};
