/** The messages of ../../en/account/sign-ins.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/sign-ins.ts';

export const recentSignIns: Translated<typeof english.recentSignIns> = {
  title: '最近のサインイン',
  lead: 'アカウントへのサインインの試行です。拒否されたものも含まれます。心当たりのないサインインが成功している場合は、すべてサインアウトして、パスワードを変更してください。',
  none: '最近のサインインの記録はありません。',
  shown: '{total, number}件中{shown, number}件を表示',
  shownOfMore: '{total, number}件超のうち{shown, number}件を表示',
  unlisted:
    '1日に100件を超えたため、{count, plural, other {拒否された試行#件}}は件数のみに含まれ、一覧には表示されていません。',
  succeeded: 'サインイン成功',
  refused: '拒否',
  addressUnknown: 'アドレス不明',
  methods: {
    password: 'パスワード',
    passkey: 'パスキー',
    google: '{provider}',
    invitation: '招待',
    other: '別の方法',
  },
  reasons: {
    INVALID_CREDENTIALS: 'パスワード、コード、またはパスキーが正しくありません',
    SECOND_FACTOR_REQUIRED: '2つ目の認証要素が求められました',
    CHALLENGE_REFUSED: '時間切れ、またはすでに完了済み',
    EXCHANGE_REFUSED: '時間切れ、またはすでに完了済み',
    EMAIL_NOT_VERIFIED: 'メールアドレスが未確認でした',
    ACCOUNT_SUSPENDED: 'アカウントが停止されていました',
    ACCOUNT_MISMATCH: '別の人がサインインしていました',
    ACCOUNT_EXISTS: 'プロバイダーがアドレスを保証していません',
    ACCOUNT_HAS_OTHER_IDENTITY: 'プロバイダーの別のアカウントです',
    INVITATION_NOT_OPEN: '招待が有効ではありませんでした',
    other: '拒否',
  },
};
