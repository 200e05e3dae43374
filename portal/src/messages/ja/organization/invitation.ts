/** The messages of ../../en/organization/invitation.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invitation.ts';

export const invitation: Translated<typeof english.invitation> = {
  title: '招待',
  join: '{organization}に参加',
  as: {
    OWNER: '所有者として招待されています。',
    ADMIN: '管理者として招待されています。',
    MEMBER: 'メンバーとして招待されています。',
    other: '役割「{role}」で招待されています。',
  },
  openUntil: '招待の有効期限：{date}',
  completeProfile: {
    lead: 'ここで使用する名前とパスワードを設定してください。',
    submit: 'アカウントを作成して参加',
    address:
      'アカウントには、この招待の送信先アドレスが使用されます。別のアドレスのアカウントをすでにお持ちの場合、そのアカウントではこの招待を承諾できません。招待した人に、そのアドレスを招待するよう依頼してください。',
  },
  signIn: {
    lead: 'この招待の送信先アドレスには、すでにアカウントがあります。そのアカウントでサインインすると、ここで承諾できます。',
    submit: 'サインインして承諾',
  },
  accept: {
    lead: '<who>{email}</who>としてサインインしています。承諾すると{organization}に参加します。ほかの組織への所属は変わりません。',
    submit: '招待を承諾',
    later: '後で',
  },
  otherAccount: {
    title: 'この招待は別の人宛てです',
    lead: '<who>{email}</who>としてサインインしていますが、{organization}への招待は別のアドレスに送信されました。',
    advice:
      'そのアドレスもご自身のものである場合は、ここでサインアウトして、そのアドレスで続けてください。そうでない場合は、招待した人に、お使いのアドレスを招待するよう依頼してください。',
    submit: 'サインアウトして続ける',
    stay: 'サインインしたままにする',
  },
  EXPIRED: {
    title: 'この招待は期限切れです',
    text: '{organization}への招待でした。送信した人に再送信を依頼してください。同じアドレスに新しいリンクが届きます。',
  },
  ACCEPTED: {
    title: 'この招待は承諾済みです',
    text: 'このリンクは1回だけ使用でき、すでに{organization}への参加に使用されました。',
    visitor: 'ご自身で承諾した場合は、通常どおりサインインしてください。',
    signedIn: 'ご自身で承諾した場合は、何もする必要はありません。',
  },
  unknown: {
    title: 'この招待は使用できません',
    text: '取り消されたか、新しいメールに置き換えられた可能性があります。新しいメールを探して、そのリンクを使用してください。見つからない場合は、招待した人に再送信を依頼してください。',
  },
  seats: '招待した人に、シートを空けるよう依頼してください。招待は引き続き有効で、シートが空いたらここで承諾できます。',
  changed: 'ページの表示後に招待が変更されました。このページには現在の状態が表示されています。',
};
