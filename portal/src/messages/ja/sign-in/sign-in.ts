/** The messages of ../../en/sign-in/sign-in.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-in.ts';

export const signIn: Translated<typeof english.signIn> = {
  title: 'サインイン',
  lead: 'メールアドレスとパスワードを入力してください。',
  leadWithProvider: '{provider}で続けるか、メールアドレスとパスワードを入力してください。',
  submit: 'サインイン',
  newHere: '初めてご利用ですか？',
  createAccount: 'アカウントを作成',
  confirmed: 'アドレスが確認されました。最初の登録時に設定したパスワードでサインインしてください。',
  refused: 'メールアドレスまたはパスワードが正しくありません。',
  noAnswer:
    'サービスが時間内に応答しませんでした。サインインできていない可能性があります。少し待ってからもう一度お試しください。',
  notVerifiedTitle: 'メールアドレスがまだ確認されていません',
  notVerified:
    'お送りしたメールのリンクを開いてください。見つからない場合は、同じアドレスでもう一度登録してください。新しいリンクをお送りします（1時間に1回まで）。',
  signUpAgain: 'もう一度登録',
  forgotten: {
    question: 'パスワードをお忘れですか？',
    passkey: 'アカウントにパスキーがある場合は、パスキーでサインインしてください。パスワードは不要です。',
    provider:
      'アカウントが{provider}に接続されている場合は、{provider}で続けてください。ここでのパスワードは不要です。',
    passkeyOrProvider:
      'アカウントにパスキーがあるか、{provider}に接続されている場合は、その方法でサインインしてください。どちらもパスワードは不要です。',
    ask: 'パスワードをメールでリセットすることはできません。新しいパスワードについては、{application}の運営者にお問い合わせください。',
    support: '問い合わせる',
  },
  endings: {
    signedOut: 'サインアウトしました。',
    signedOutEverywhere: 'すべてのデバイスからサインアウトしました。',
    leftOrganization: '組織から脱退し、このセッションも終了しました。続けるには、再度サインインしてください。',
    accountDeleted: 'アカウントを削除しました。',
    expired: 'セッションが終了しました。続けるには、再度サインインしてください。',
  },
};

/** Outcomes of an external sign-in, or of linking an identity. */
export const external: Translated<typeof english.external> = {
  unfinished: '{provider}でのサインインは、最後の手順を残すだけです。',
  someProvider: 'プロバイダー',
  problems: {
    PROVIDER_CANCELLED: '{provider}での操作をキャンセルしました。何も変更されていません。',
    PROVIDER_UNAVAILABLE: '{provider}が現在応答していません。しばらくしてからもう一度お試しください。',
    PROVIDER_REFUSED:
      '{provider}からの応答が正しくありませんでした。もう一度お試しください。繰り返し発生する場合は、このサービスの運営者にお問い合わせください。',
    ATTEMPT_OVER:
      'この試行は終了しました。時間切れになったか、すでに完了しているか、別のブラウザーで開始されたものです。もう一度お試しください。',
    EXCHANGE_REFUSED: 'サインインが時間切れになったか、すでに完了しています。もう一度お試しください。',
    EMAIL_MISSING:
      'アカウントにはメールアドレスが必要ですが、{provider}から提供されませんでした。{provider}で共有を許可するか、ここでパスワードを使用してください。',
    EMAIL_UNVERIFIED:
      'メールアドレスが{provider}でまだ確認されていません。{provider}で確認するか、ここでパスワードを使用してください。',
    ACCOUNT_HAS_OTHER_IDENTITY:
      'このメールアドレスのアカウントは、{provider}の別のアカウントに接続されています。そのアカウントで続けるか、パスワードを使用してください。',
    ACCOUNT_EXISTS:
      'このアドレスのアカウントはすでに存在します。パスワードでサインインしてから、「サインイン方法」で{provider}を接続してください。',
    ACCOUNT_SUSPENDED:
      'アカウントが停止されているため、停止が解除されるまでサインインできません。このサービスの運営者にお問い合わせください。',
    IDENTITY_TAKEN:
      '選択した{provider}のアカウントは、ここの別のアカウントに接続されています。別のアカウントを選択するか、そのアカウントにサインインして先に接続を解除してください。',
    LINK_SESSION_OVER:
      '{provider}が接続される前にセッションが終了したか、ここで別の人がサインインしました。何も接続されていません。',
    LINK_DECLINED:
      '{provider}のアカウントを接続しなかったため、何も変更されていません。そのアカウントでサインインするには、もう一度選択してください。',
    RATE_LIMITED: '試行回数が多すぎます。しばらく待ってから、もう一度お試しください。',
    UNAVAILABLE: 'サービスが現在応答できません。しばらくしてからもう一度お試しください。',
    ACCOUNT_MISMATCH:
      '操作の時点で別の人がここにサインインしていたため、何も変更されませんでした。もう一度お試しください。',
    other:
      '{provider}で続けることができませんでした。もう一度お試しください。繰り返し発生する場合は、このサービスの運営者にお問い合わせください。',
  },
  signedIn: {
    title: '完了できませんでした',
    cancelledTitle: '何も変更されていません',
    mismatchTitle: 'すでにサインインしています',
    mismatch:
      '<who>{email}</who>としてサインインしています。選択した{provider}のアカウントは、ここの別のアカウントのものであるため、何も変更されませんでした。',
    mismatchAdvice: '別のアカウントを使用するには、サインアウトしてから再度サインインしてください。',
    otherIdentity:
      'ここのアカウントは、すでに{provider}の別のアカウントに接続されています。先にその接続を解除してください。',
    continueAs: '{name}として続ける',
    signOut: 'サインアウト',
  },
};
