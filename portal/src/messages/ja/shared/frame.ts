/** The messages of ../../en/shared/frame.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/frame.ts';

export const frame: Translated<typeof english.frame> = {
  skip: '本文へ移動',
  navigation: 'メイン',
  home: 'ホーム',
  account: 'アカウント',
  members: 'メンバー',
  plan: 'プラン',
  console: 'コンソール',
  signOut: 'サインアウト',
  signedInAs: '{email}としてサインイン中',
  notSignedOut: {
    title: 'まだサインインしています',
    text: 'サインアウトするには、サービスへの接続が必要です。接続できるようになったら、もう一度「サインアウト」を押してください。',
  },
};

/** Buttons of lists. */
export const lists: Translated<typeof english.lists> = {
  showMore: 'さらに表示',
  reload: '更新',
  clear: 'フィルターをクリア',
  any: 'すべて',
};

export const switcher: Translated<typeof english.switcher> = {
  label: '組織：',
  none: '組織なし',
  yours: '所属する組織',
  create: '組織を作成',
  switched: '{name}に切り替えました。',
  notSwitched: '現在の組織は{name}です。',
};

export const noOrganization: Translated<typeof english.noOrganization> = {
  title: '組織が選択されていません',
  choose: '使用する組織を選択してください。',
  open: '{name}を開く',
  none: 'どの組織にも所属していません。組織を作成するか、ほかの組織のメンバーに招待を依頼してください。招待に記載されたリンクから参加できます。',
  create: '組織を作成',
};
