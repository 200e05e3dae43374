/** The messages of ../../en/shared/common.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/common.ts';

export const common: Translated<typeof english.common> = {
  loading: '読み込み中',
  takesLonger: '通常より時間がかかっています。しばらくお待ちください。',
  tryAgain: '再試行',
  cancel: 'キャンセル',
  close: '閉じる',
  toSignIn: 'サインインへ',
  toStart: 'ホームへ',
  openMailbox: '開発用メールボックスを開く',
  reference: '照会番号',
  language: '言語',
  links: { support: 'サポート', terms: '利用規約', privacy: 'プライバシー' },
};

export const roles: Translated<typeof english.roles> = { OWNER: '所有者', ADMIN: '管理者', MEMBER: 'メンバー' };

export const fields: Translated<typeof english.fields> = {
  name: '名前',
  email: 'メールアドレス',
  password: 'パスワード',
  showPassword: 'パスワードを表示',
  nameMissing: '名前を入力してください。',
  organizationNameMissing: '組織の名前を入力してください。',
  emailMissing: 'メールアドレスを入力してください。',
  inviteeEmailMissing: '招待する人のメールアドレスを入力してください。',
  emailShape: 'メールアドレスの形式が正しくないようです。',
  passwordMissing: 'パスワードを入力してください。',
  codeMissing: 'コードを入力してください。',
  passwordTooWeak: 'このパスワードには、下記の条件のうち満たしていないものがあります。',
  passwordTooManyBytes: 'このパスワードは72バイトを超えています。絵文字や全角文字を減らしてください。',
};

export const failures: Translated<typeof english.failures> = {
  OFFLINE: {
    title: '接続できません',
    text: 'サービスに接続できませんでした。接続を確認して、もう一度お試しください。',
  },
  noAnswer: {
    title: '時間内に応答がありませんでした',
    text: 'サービスが混み合っています。操作はすでに完了したか、まもなく完了する可能性があります。もう一度試す前に結果を確認してください。',
  },
  UNAVAILABLE: {
    title: '現在利用できません',
    text: 'サービスが現在応答できません。しばらくしてからもう一度お試しください。',
  },
  RATE_LIMITED: {
    title: '試行回数が多すぎます',
    text: '{seconds, plural, =0 {しばらく} other {#秒}}待ってから、もう一度お試しください。',
  },
  ACCOUNT_SUSPENDED: {
    title: 'アカウントが停止されています',
    text: '停止が解除されるまでサインインできません。このサービスの運営者にお問い合わせください。',
  },
  FORBIDDEN: {
    title: '許可されていません',
    text: 'あなたの役割または組織のプランでは、この操作は許可されていません。役割やプランが変更された直後の可能性があります。',
  },
  MEMBERSHIP_REQUIRED: {
    title: '組織が選択されていません',
    text: '組織のメンバーではなくなったか、まだ組織を選択していません。',
  },
  NOT_FOUND: {
    title: 'すでに存在しません',
    text: 'ページの表示後に削除された可能性があります。このページには現在の状態が表示されています。',
  },
  INVITATION_NOT_OPEN: {
    title: 'この招待はもう有効ではありません',
    text: 'ページの表示後に、承諾されたか取り消されました。このページには現在の状態が表示されています。',
  },
  LAST_OWNER: {
    title: '組織には所有者が必要です',
    text: '対象のメンバーは、この組織の唯一の所有者です。先に別のメンバーを所有者にしてください。',
  },
  SEATS_EXHAUSTED: {
    title: '空きシートがありません',
    text: '組織のプランのシートは、メンバーと保留中の招待ですべて使用されています。いずれかを削除するか、上位のプランに変更すると空きができます。',
  },
  REAUTHENTICATION_REQUIRED: {
    title: '実行されませんでした',
    text: 'この操作には本人確認が必要です。何も変更されていません。',
  },
  SECOND_FACTOR_REQUIRED: {
    title: '実行されませんでした',
    text: 'この操作にはパスキーまたはワンタイムコードが必要です。何も変更されていません。',
  },
  stillSignedIn: '何も失われておらず、サインインしたままです。',
  failed: {
    title: '問題が発生しました',
    text: 'サービス側で問題が発生しました。もう一度お試しください。繰り返し発生する場合は、このサービスの運営者にお問い合わせください。',
  },
  notFound: {
    title: 'ページが見つかりません',
    text: 'このアドレスには何もありません。リンクが古いか、入力に誤りがある可能性があります。',
  },
};

export const wrongAddress: Translated<typeof english.wrongAddress> = {
  title: 'このサービスのアドレスではありません',
  text: '現在 {here} を開いています。ここではブラウザーがサインインを保持しません。<right>{there}</right> に進んでください。',
};
