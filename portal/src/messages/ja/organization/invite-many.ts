/** The messages of ../../en/organization/invite-many.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invite-many.ts';

export const inviteMany: Translated<typeof english.inviteMany> = {
  title: '複数のユーザーを招待',
  addresses: 'メールアドレス',
  addressesHint:
    '表の列、リスト、メールの宛先などから貼り付けます。改行、コンマ、セミコロン、スペースで区切ってください。',
  counted: '{count, plural, =0 {アドレスはまだありません} other {#件のアドレス}}',
  missing: 'アドレスを1件以上貼り付けてください。',
  tooMany: 'アドレスが{count, number}件あります。一度に指定できるのは{most, number}件までです。',
  check: 'アドレスを確認',
  preview: {
    title: 'まだ何も送信されていません',
    ready: '{count, plural, =0 {送信される招待はありません} other {#件の招待が送信されます}}',
    submit: '{count, plural, other {招待を#件送信}}',
    change: 'リストを変更',
  },
  report: {
    title: 'リストの処理が完了しました',
    sent: '{count, plural, =0 {招待は送信されませんでした} other {#件の招待を送信しました}}',
    another: 'ほかの人を招待',
    differs: 'プレビューの後に、メンバー、シート、または上限が変更されました。下記が実際の結果です。',
  },
  notInvited: '{count, plural, other {#件のアドレスは除外されます}}',
  outcomes: {
    INVITED: '招待',
    RENEWED: '再招待（以前のリンクは期限切れ）',
    MEMBER: 'すでにメンバーです',
    ALREADY_INVITED: 'すでに招待されています',
    OWN_ADDRESS: 'ご自身のアドレスです',
    MALFORMED: 'メールアドレスではありません',
    REPEATED: 'リスト内で重複しています',
    NO_SEAT: 'プランに空きシートがありません',
    TOO_MANY_MAILS: '現在、招待メールが多すぎます。しばらくしてからもう一度お試しください',
    NOT_ALLOWED: '付与できない役割で招待されています',
  },
  columns: { address: 'アドレス', outcome: '結果' },
  plan: 'プランを表示',
};
