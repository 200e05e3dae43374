/** The messages of ../../en/sign-in/step-up.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/step-up.ts';

export const stepUp: Translated<typeof english.stepUp> = {
  title: '本人確認',
  lead: 'サインインしてから時間が経過しています。確認後、操作が続行されます。',
  leadSecondFactor: 'この操作には、パスワード以外の確認も必要です。確認後、操作が続行されます。',
  pageLead: 'サインインしてから時間が経過しています。確認後に続行します。',
  pageLeadSecondFactor: 'この操作には、パスワード以外の確認も必要です。確認後に続行します。',
  password: 'パスワード',
  submit: '確認',
  wrongPassword: 'パスワードが正しくありません。',
  code: '認証アプリのコードまたはリカバリーコード',
  submitCode: 'コードで確認',
  wrongCode: 'コードが正しくないか、すでに使用されています。',
  withProvider: '{provider}で確認',
  providerLeaves:
    'このページを離れて{provider}に移動し、その後ここに戻ります。戻ったら、操作を最初からやり直してください。',
  nothing:
    'このアカウントには、ここで確認に使用できるパスワード、パスキー、コードがありません。サインアウトしてから再度サインインしてください。その後10分間は確認を求められません。',
  noSecondFactor:
    'このアカウントには、2つ目の認証要素がまだありません。「アカウント」の「セキュリティ」でパスキーまたはワンタイムコードを設定し、そこから続けてください。',
  setUp: '2つ目の認証要素を設定',
};

/** Where a second factor is required that the session lacks. */
export const secondFactorNeeded: Translated<typeof english.secondFactorNeeded> = {
  organization: {
    title: '{organization}では2つ目の認証要素が必要です',
    text: 'この組織では、パスワードまたはプロバイダーだけでのサインインは認められません。パスキーまたはワンタイムコードで確認するまで、この組織は使用できません。別の組織への切り替えや、この組織からの脱退はできます。',
  },
  platform: {
    title: 'スーパー管理者には2つ目の認証要素が必要です',
    text: 'このページは、パスキーまたはワンタイムコードで確認されたセッションで開くことができます。',
  },
  confirm: '本人確認をする',
  setUp: '2つ目の認証要素を設定',
  setUpHere: '下で設定してください。設定すると、すぐにすべてを使用できるようになります。',
};
