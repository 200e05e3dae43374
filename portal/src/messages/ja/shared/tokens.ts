/** The messages of ../../en/shared/tokens.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/tokens.ts';

export const tokens: Translated<typeof english.tokens> = {
  statuses: {
    ACTIVE: '有効',
    PENDING: '承認待ち',
    BLOCKED: 'ポリシーによりブロック中',
    EXPIRED: '期限切れ',
    REVOKED: '取り消し済み',
  },
  why: {
    PENDING: '{organization}のトークンを管理する人が承認すると、使用できるようになります。',
    BLOCKED: '現在、{organization}のポリシーによりブロックされています。ポリシーで許可されると、再び使用できます。',
  },
  organization: '組織',
  scopes: 'できること',
  lastCharacters: 'シークレット',
  endsIn: '末尾：<code>{characters}</code>',
  expires: '有効期限',
  expired: '期限切れ',
  revoked: '取り消し',
  lastUsed: '最終使用',
  usedFrom: '{when}（{address}から）',
  neverUsed: '未使用',
  previousSecret: '以前のシークレットも{date}まで使用できます。',
  rotate: '更新',
  rotateOne: '{name}（末尾：{characters}）を更新',
  revoke: '取り消す',
  revokeOne: '{name}（末尾：{characters}）を取り消す',
  wasRevoked: '{name}を取り消しました。今後は使用できません。',
  rotation: {
    title: '{name}を更新しますか？',
    text: '新しいシークレットを一度だけ表示します。有効期間は現在のものと同じ長さです。',
    overlap: '現在のシークレットを引き続き使用できる期間',
    seconds0: 'なし：すぐに無効になります',
    seconds3600: '1時間',
    seconds86400: '1日',
    seconds604800: '7日間',
    submit: 'トークンを更新',
  },
  revocation: {
    title: '{name}を取り消しますか？',
    text: 'このトークンを使うものは、以前のシークレットを使っている場合も含め、すぐにアクセスできなくなります。この操作は元に戻せません。',
    submit: 'トークンを取り消す',
  },
  secret: {
    title: '{name}のシークレットを今すぐコピーしてください',
    text: '表示されるのは今回だけです。パスワードと同じように保管してください。これを持つプログラムは、トークンに許可されたすべての操作を実行できます。',
    pending: 'まだ使用できません。先に、トークンを管理する人の承認が必要です。',
    name: 'シークレット',
    copy: 'シークレットをコピー',
    example: '使用方法',
    exampleLead: 'シェルでTOKENにシークレットを設定してから、次を実行します。',
    copyExample: '例をコピー',
    done: '保存しました',
  },
  refusals: {
    missing: 'この組織でご自身に許可されていない操作です：{scopes}。',
    limitTitle: '上限に達しています',
    limit: '不要になったものを削除してから、もう一度お試しください。',
    limitOfAccount:
      'サービスアカウントの有効なトークンは2つまでです。1つを取り消すか、新しいシークレットが必要な場合は更新してください。',
  },
};

export const tokenForm: Translated<typeof english.tokenForm> = {
  scopes: 'できること',
  scopesMissing: '1つ以上選択してください。',
  expiry: '有効期限',
  inDays: '{days, plural, other {#日後}}',
  onDate: '日付を指定',
  date: '有効期限の日付',
  dateMissing: '将来の日付を選択してください。',
  submit: 'トークンを作成',
};

export const ownTokens: Translated<typeof english.ownTokens> = {
  title: '個人用トークン',
  lead: '個人用トークンを使うと、スクリプトやプログラムが、パスワードなしで、あなたの代わりにAPIを使用できます。',
  list: 'あなたのトークン',
  ended: '過去90日間に終了したもの',
  none: '個人用トークンはありません。APIを呼び出すスクリプト、ビルドサーバー、ツールなどのために作成できます。トークンは選択した操作だけを実行でき、ご自身の権限を超えることはありません。いつでも取り消せます。',
  life: '個人用トークンは、取り消したとき、その組織から脱退したとき、またはすべてのデバイスからサインアウトしたときに無効になります。パスワードを変更しても影響はありません。',
  create: 'トークンを作成',
  createTitle: '新しい個人用トークン',
  createLead: '{organization}でのみ使用できます。',
  name: '名前',
  nameHint: '「バックアップ用スクリプト」など、見分けやすい名前にしてください。',
  nameMissing: 'トークンの名前を入力してください。',
  noOrganization: 'トークンは1つの組織で使用できます。先に組織を選択してください。',
  noScopes: '現在、{organization}で許可されている操作がないため、トークンでも何もできません。',
  forbidden: '{organization}では現在、個人用トークンが許可されていません。トークンを管理する人にお問い合わせください。',
};
