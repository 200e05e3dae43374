/** The mails about tokens in Japanese. */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes {アドレス{address}から、} other {}}';
const seeOwn = '個人用トークンを表示';
const seeManaged = '組織のトークンを表示';
const strangerHasSession =
  'ご自身の操作でない場合は、第三者があなたのアカウントにサインインしています。トークンを失効させ、「デバイス」ですべてサインアウトし、パスワードを変更してください。';
const youManage = 'このメールは、組織「{organization}」でトークンを管理している方にお送りしています。';
const ifUnexpected = `心当たりがない場合は、この操作を行った方に確認し、疑わしいときはトークンを失効させてください。${youManage}`;
const within = '{days, plural, other {#日}}';
const expires =
  'は、{until}に有効期限が切れます。それ以降、このトークンによるリクエストはすべて拒否されます。\n\n引き続き必要な場合は、その前に新しいシークレットを発行してください。現在のシークレットは、指定した移行期間中は引き続き使用できます。';

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: '個人用トークン「{token}」が作成されました',
    body: `{at}に、あなたのアカウントにサインインしていたセッションで、${from}組織「{organization}」用の個人用トークン「{token}」が作成されました。\n\n{isPending, select, yes {組織のトークンを管理する方が承認するまで使用できません。} other {有効期限が切れるか失効するまで、このトークンを持つプログラムは、トークンの権限の範囲内であなたに代わって操作できます。}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: '個人用トークン「{token}」のシークレットが更新されました',
    body: `{at}に、あなたのアカウントにサインインしていたセッションで、${from}組織「{organization}」用の個人用トークン「{token}」に新しいシークレットが発行されました。以前のシークレットは、指定された移行期間中のみ使用できます。`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: '個人用トークン「{token}」が承認されました',
    body: '{at}に、組織「{organization}」のトークンを管理する方が、あなたの個人用トークン「{token}」を承認しました。今すぐ使用できます。',
    action: seeOwn,
    remark:
      'このトークンを作成した覚えがない場合は、トークンを失効させ、「デバイス」ですべてサインアウトしてください。',
  },
  personalTokenRefused: {
    subject: '個人用トークン「{token}」は承認されませんでした',
    body: '{at}に、組織「{organization}」のトークンを管理する方が、あなたの個人用トークン「{token}」を却下しました。このトークンは今後使用できません。',
    action: seeOwn,
    remark: 'ご不明な点は、組織「{organization}」のトークンを管理する方にお問い合わせください。',
  },
  personalTokenWaiting: {
    subject: '「{organization}」で個人用トークンが承認待ちです',
    body: '{at}に、{person}さんが、組織「{organization}」用の個人用トークン「{token}」を作成しました。あなた、またはトークンを管理する別の方が承認するまで使用できません。',
    action: 'トークンを確認して決定',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'サービスアカウント「{account}」のトークンが作成されました',
    body: `{at}に、${from}{person}さんが、組織「{organization}」のサービスアカウント「{account}」のトークンを作成しました。`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'サービスアカウント「{account}」のトークンのシークレットが更新されました',
    body: `{at}に、${from}{person}さんが、組織「{organization}」のサービスアカウント「{account}」のトークンに新しいシークレットを発行しました。以前のシークレットは、指定された移行期間中のみ使用できます。`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'サービスアカウント「{account}」の権限が追加されました',
    body: '{at}に、{person}さんが、組織「{organization}」のサービスアカウント「{account}」に権限を追加しました（{scopes}）。このアカウントのトークンは、今からこれらの権限を持ちます。',
    action: seeManaged,
    remark: `心当たりがない場合は、この操作を行った方に確認し、疑わしいときは権限を取り消してください。${youManage}`,
  },
  tokenPolicyChanged: {
    subject: '「{organization}」のトークンのポリシーが変更されました',
    body: '{at}に、{person}さんが、組織「{organization}」のトークンに関するポリシーを変更しました。ポリシーで認められないトークンはブロックされ、認められると再び使用できます。',
    action: 'ポリシーを表示',
    remark: `心当たりがない場合は、この操作を行った方に確認してください。${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, other {サービスアカウント#件}}のトークンを更新してください：シークレットを見た方が「{organization}」を離れました',
    body: '{at}に、{person}さんが、組織「{organization}」を離れました。この方は、次の{count, plural, other {サービスアカウント#件}}のトークンのシークレットを見ています：{accounts}\n\nトークンは引き続き有効です。現在のメンバーだけがシークレットを知っている状態にするため、新しいシークレットを発行してください。',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `個人用トークン「{token}」の有効期限は、あと${within}以内です`,
    body: `組織「{organization}」用の個人用トークン「{token}」${expires}`,
    action: seeOwn,
    remark: '不要になった場合は、何もする必要はありません。',
  },
  serviceTokenExpires: {
    subject: `サービスアカウント「{account}」のトークンの有効期限は、あと${within}以内です`,
    body: `組織「{organization}」のサービスアカウント「{account}」のトークン${expires}`,
    action: seeManaged,
    remark: `不要になった場合は、何もする必要はありません。${youManage}`,
  },
};
