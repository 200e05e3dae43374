/** The messages of ../../en/sign-in/password-review.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/password-review.ts';

export const passwordReview: Translated<typeof english.passwordReview> = {
  someProvider: 'プロバイダー',
  title: 'このアカウントのパスワードは、ご自身で設定したものですか？',
  text: 'アドレスが同じため、このアカウントは{provider}に接続されました。このアカウントには、以前に設定されたパスワードもあります。ご自身で設定したものでない場合、第三者が知っている可能性があるため、削除してください。',
  consequence:
    '削除すると、ほかのすべてのデバイスとクライアントからサインアウトします。その後は{provider}でサインインします。',
  remove: 'パスワードを削除',
  keep: '自分で設定したので残す',
  removed: 'パスワードを削除し、ほかのすべてのデバイスからサインアウトしました。今後は{provider}でサインインします。',
  kept: 'パスワードを残しました。パスワードでも{provider}でもサインインできます。',
};
