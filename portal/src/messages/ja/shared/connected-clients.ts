/** The messages of ../../en/shared/connected-clients.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'リダイレクト先',
  loopback: '本人のコンピューター上のプログラム',
  clientId: 'クライアントID',
  resource: 'MCPサーバー',
  scopes: '権限',
  connected: '接続日時',
  expires: '有効期限',
  lastUsed: '最終使用',
  neverUsed: '未使用',
  total: '{total, plural, other {接続#件}}',
  shownOf: '{total, number}件中{shown, number}件を表示',
  end: '終了',
  endOne: '{host}経由の{name}の接続を終了',
  wasEnded: '{name}の接続を終了しました。今後は使用できません。',
  ending: {
    title: '{name}の接続を終了しますか？',
    text: 'クライアントはすぐにアクセスできなくなります。再び操作するには、新しい同意が必要です。',
    submit: '接続を終了',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: '接続済みクライアント',
  lead: 'AIアシスタントなど、組織であなたに代わって操作することを許可したプログラムです。',
  list: 'あなたの接続済みクライアント',
  none: '接続したクライアントはありません。MCPクライアントに{address}を追加すると、組織ごとに同意を求めます。接続はここでいつでも終了できます。',
  life: '接続は、終了したとき、組織を離れたとき、またはすべてのデバイスからサインアウトしたときに終わります。',
};

export const organizationClients: Translated<typeof english.organizationClients> = {
  title: '{name}の接続済みクライアント',
  lead: 'AIアシスタントなど、メンバーがこの組織で自分に代わって操作することを許可したプログラムです。',
  list: '接続済みクライアント',
  none: 'クライアントを接続したメンバーはいません。',
  notAllowed: 'この組織でのあなたの役割では、接続済みクライアントを管理できません。',
};

export const mcpPolicy: Translated<typeof english.mcpPolicy> = {
  title: 'クライアントのポリシー',
  lead: '変更は、各クライアントの次の呼び出しから有効になります。ポリシーで許可されないクライアントは接続されたままで、許可されると再び使用できます。',
  clients: 'メンバーが使用できるクライアント',
  ANY: 'すべて',
  ANY_text: 'メンバーは好きなクライアントを接続できます。',
  LISTED: 'リストにあるもの',
  LISTED_text: 'IDまたはリダイレクト先のホストがリストにあるクライアントを使用できます。',
  NONE: 'なし',
  NONE_text: 'クライアントは使用も接続もできません。',
  clientIds: 'クライアントID',
  clientIdsHint:
    '1行に1つ、100件まで。登録済みクライアントのID、またはメタデータドキュメントの正確なhttps URLを入力します。',
  redirectHosts: 'ホスト',
  redirectHostsHint:
    '1行に1つ、100件まで。リダイレクト先がこのホストと完全に一致するクライアントを使用できます（例：app.example.com）。独自スキームの場合はscheme://hostと入力します。',
  loopbackTitle: 'メンバーのコンピューター上のすべてのプログラムが許可されます',
  loopback:
    '127.0.0.1、localhost、[::1]は本人のコンピューターです。そこにあるプログラムは、表示する名前にかかわらず、どれでもここにリダイレクトできます。',
  submit: 'ポリシーを保存',
  saved: 'ポリシーを保存しました。各クライアントの次の呼び出しから有効になります。',
};
