/** The messages of ../../en/platform/console-sign-ins.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-sign-ins.ts';

export const consoleSignIns: Translated<typeof english.consoleSignIns> = {
  title: 'サインイン',
  lead: 'サインインの試行を、拒否されたものも含めて新しい順に表示します。入力された内容は保存されません。',
  total: '{total, plural, =0 {試行なし} other {#件の試行}}',
  moreThan: '{total, number}件を超える試行',
  none: 'これらのフィルターに一致する試行はありません。',
  outcome: '結果：',
  success: 'サインイン成功',
  method: '方法：',
  network: 'IPアドレスまたはネットワーク',
  from: '開始',
  to: '終了',
  onePerson: '1人のユーザーのみ',
  person: '{email}のみ',
  remove: 'フィルターを解除：{filter}',
  columns: { when: '日時', person: 'ユーザー', outcome: '結果', from: 'アクセス元' },
  unknownPerson: '不明なユーザー',
  ofPerson: '最近のサインイン',
  noneOfPerson: '最近のサインインの記録はありません。',
  all: 'すべてのサインインを表示',
};

export const suspension: Translated<typeof english.suspension> = {
  suspend: '停止',
  reinstate: '停止を解除',
  confirm: {
    title: '{email}のアカウントを停止しますか？',
    text: '{email}のすべてのセッションがすぐに終了し、停止が解除されるまで、どの方法でもサインインできなくなります。本人にはメールで通知されますが、理由は記載されません。',
    submit: '停止',
    reason: '理由（スーパー管理者向け）',
    reasonMissing: '理由を200文字以内で入力してください。',
  },
  confirmReinstate: {
    title: '{email}のアカウントの停止を解除しますか？',
    text: '{email}は再びサインインできるようになり、メールで通知されます。終了したセッションは終了したままです。',
    submit: '停止を解除',
  },
  done: '{email}のアカウントを停止しました。{count, plural, =0 {有効なトークンはありませんでした。} other {有効だった#件のトークンが終了しました。}}',
  reinstated: '{email}は再びサインインできます。',
  list: '停止の履歴',
  by: '{email}が{date}に実施',
  byGone: '削除されたアカウントが{date}に実施',
  lasts: '停止中',
  endedBy: '{email}が{date}に解除',
  endedByOperator: '運営者が{date}に解除',
  columns: { reason: '理由', began: '開始', ended: '終了' },
};
