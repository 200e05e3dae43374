/** The messages of ../../en/account/account.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/account.ts';

export const home: Translated<typeof english.home> = {
  title: 'アカウント',
  greeting: 'こんにちは、{name}さん',
  profile: 'プロフィール',
  verified: '確認済み',
  verifiedSince: '{date}に確認済み',
  notVerified: '未確認',
  superAdmin: 'スーパー管理者',
  organization: '組織',
  noOrganization: '選択されていません',
  role: '役割',
  scopes: '{count, plural, =0 {権限なし} other {#件の権限}}',
};

export const accountPages: Translated<typeof english.accountPages> = {
  navigation: 'アカウント',
  account: 'アカウント',
  security: 'セキュリティ',
  tokens: '個人用トークン',
  clients: '接続済みクライアント',
  data: '個人データ',
  title: 'アカウント',
  goOnTitle: 'このセッションで2つ目の認証要素が確認されました',
  goOn: '元の操作に戻る',
  securityTitle: 'セキュリティ',
  dataTitle: '個人データ',
  session: 'このセッション',
  sessionLead: '一部の変更では、ご本人であることの確認が必要です。',
  provedAt: '最後に本人確認した日時：{date}',
  provedAtUnknown: 'このセッションでは、まだ本人確認をしていません',
  withSecondFactor: 'パスキーまたは2つ目の認証要素で確認しました。',
  withoutSecondFactor: 'パスキーや2つ目の認証要素は使用していません。',
};

export const ownData: Translated<typeof english.ownData> = {
  exportTitle: '個人データのコピー',
  exportLead:
    'ここに保存されているあなたのすべてのデータ（アカウント、組織、セッションとそのアドレス）をJSONファイルで取得できます。',
  export: 'ダウンロード',
  exported: 'ファイルのダウンロードを開始しました。',
  deleteTitle: 'アカウントの削除',
  deleteLead: 'この操作は元に戻せません。',
  deleteText:
    'すべてのデバイスからサインアウトし、所属するすべての組織から脱退します。ほかにメンバーがいない組織は、その内容もすべて削除されます。',
  deleteTextWithTokens:
    'すべてのデバイスからサインアウトし、個人用トークンは無効になり、所属するすべての組織から脱退します。ほかにメンバーがいない組織は、その内容もすべて削除されます。',
  open: 'アカウントを削除',
  typeEmail: '確認のため「{email}」と入力してください',
  emailMissing: 'メールアドレスを入力してください。',
  submit: '自分のアカウントを削除',
  LAST_OWNER:
    'ほかにメンバーがいる組織で、あなたが唯一の所有者になっています。先に別のメンバーを所有者にしてください。',
  SUBSCRIPTION_ACTIVE:
    'あなただけが所属する組織に、契約中のプランがあります。先に「プラン」でプランを解約してください。',
  FORBIDDEN: 'このアカウントはここでは削除できません。このサービスの運営者にお問い合わせください。',
};

export const ownAccount: Translated<typeof english.ownAccount> = {
  title: '名前とパスワード',
  name: '名前',
  changeName: '名前を変更',
  save: '保存',
  password: 'パスワード',
  changePassword: 'パスワードを変更',
  setPassword: 'パスワードを設定',
  noPassword: 'なし',
  currentPassword: '現在のパスワード',
  newPassword: '新しいパスワード',
  othersSignedOut: 'ほかのすべてのデバイスとクライアントからサインアウトします。',
  othersSignedOutNotTokens:
    'ほかのすべてのデバイスとクライアントからサインアウトします。個人用トークンは引き続き使用できます。',
  savePassword: 'パスワードを変更',
  passwordChanged: 'パスワードを変更しました。ほかのすべてのデバイスとクライアントからサインアウトしました。',
  passwordChangedNotTokens:
    'パスワードを変更しました。ほかのすべてのデバイスとクライアントからサインアウトしました。個人用トークンは引き続き使用できます。',
  wrongPassword: '現在のパスワードが正しくありません。',
};

export const emailSection: Translated<typeof english.emailSection> = {
  title: 'メールアドレス',
  change: 'メールアドレスを変更',
  newEmail: '新しいメールアドレス',
  hint: 'このアドレスにリンクをお送りします。リンクを開いて確認すると、アドレスが変更されます。',
  missing: '新しいメールアドレスを入力してください。',
  submit: 'リンクを送信',
  requested:
    '{email}が使用可能な場合は、リンクを記載したメールが届きます。ここにサインインした状態で、24時間以内にリンクを開いてください。それまでアドレスは変更されません。このメールの送信は1時間に1回までです。以前にこのアドレスを申し込んだ場合は、すでに届いているリンクを使用してください。',
  pending: '過去72時間以内にアドレスが変更されました。この期間が過ぎるまで、再度変更することはできません。',
};

export const signInMethods: Translated<typeof english.signInMethods> = {
  title: 'サインイン方法',
  lead: '次のいずれの方法でも、このアカウントにサインインできます。',
  password: 'パスワード',
  passwordSet: '設定済み',
  passwordNotSet: '未設定',
  notConnected: '未接続',
  connectedAs: '{date}から{email}として接続中',
  connectedSince: '{date}から接続中',
  connect: '接続',
  connectProvider: '{provider}を接続',
  disconnect: '接続を解除',
  disconnectProvider: '{provider}の接続を解除',
  onlyMethod: 'このアカウントにサインインできる唯一の方法のため、接続を解除できません。',
  connected: '{provider}を接続しました。今後は{provider}でサインインできます。',
  disconnected: '{provider}の接続を解除しました。今後は{provider}でサインインできません。',
  confirm: {
    title: '{provider}の接続を解除しますか？',
    text: '今後は別の方法でサインインします。サインイン中のデバイスは、サインインしたままになります。',
    submit: '接続を解除',
  },
};

export const devices: Translated<typeof english.devices> = {
  title: 'デバイス',
  lead: 'このアカウントにサインインしているデバイスの一覧です。',
  unsure: '心当たりのないデバイスがありますか？',
  thisDevice: 'このデバイス',
  apiClient: 'APIクライアント',
  mcpClient: 'MCPクライアント',
  addressUnknown: 'アドレス不明',
  signedIn: '{date}にサインイン',
  lastSeen: '最終使用：{when}',
  neverSeen: 'その後の使用なし',
  inUse: '使用中',
  justNow: 'たった今',
  signOut: 'サインアウト',
  signOutThis: 'このデバイスからサインアウト',
  signOutOther: '{device}からサインアウト',
  everywhere: 'すべてサインアウト',
  ended: '{device}からサインアウトしました。',
  names: {
    browserOnSystem: '{browser}（{system}）',
    unknown: '不明なデバイス',
  },
  confirmOne: {
    title: '{device}からサインアウトしますか？',
    text: 'このデバイスはすぐにアクセスできなくなり、再度サインインが必要になります。',
    submit: 'サインアウト',
  },
  confirmEverywhere: {
    title: 'すべてのデバイスからサインアウトしますか？',
    text: 'このデバイスやAPIクライアントを含め、すべてのデバイスがすぐにアクセスできなくなります。再度サインインが必要です。',
    textWithTokens:
      'このデバイス、APIクライアント、個人用トークンを含め、すべてがすぐにアクセスできなくなります。再度サインインし、必要に応じてトークンを作り直してください。',
    submit: 'すべてサインアウト',
  },
};
