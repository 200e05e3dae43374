/** The messages of ../../en/shared/consent.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/consent.ts';

export const consent: Translated<typeof english.consent> = {
  title: 'アクセス解析を許可しますか？',
  text: '許可すると、アクセス解析用のランダムなIDがこのブラウザーのCookieとともに30日間保存されます。拒否した場合、IDは作成されず、回答だけが保存されます。どちらの場合もサインインの動作は同じで、回答はいつでも変更できます。',
  allow: '許可する',
  decline: '拒否する',
  now: {
    allowed: '現在は許可しています。拒否すると、IDは削除されます。',
    declined: '現在は拒否しています。',
  },
  change: 'プライバシー設定',
  notRecorded: '回答を保存できませんでした。もう一度お試しください。',
  recorded: {
    allowed: 'アクセス解析を許可しました。',
    declined: 'アクセス解析を拒否しました。IDは保存されません。',
    withdrawn: '許可を取り消しました。IDは削除されました。',
  },
  section: {
    title: 'プライバシー',
    lead: 'このブラウザーでアクセス解析を許可するかどうかの設定です。',
    open: { title: 'まだ回答していません', text: '許可するまで、アクセス解析用のIDは保存されません。' },
    allowed: {
      title: 'アクセス解析を許可しています',
      text: 'このブラウザー用のランダムなIDが、回答から30日間保存されます。許可を取り消すとすぐに削除され、再度許可すると新しいIDが作成されます。',
    },
    declined: { title: 'アクセス解析を拒否しています', text: 'IDは保存されず、この回答だけが30日間保存されます。' },
    id: 'ID：',
    allow: 'アクセス解析を許可',
    withdraw: '許可を取り消す',
  },
};
