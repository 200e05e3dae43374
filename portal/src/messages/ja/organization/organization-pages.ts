/** The messages of ../../en/organization/organization-pages.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organization-pages.ts';

export const organizationSecurity: Translated<typeof english.organizationSecurity> = {
  title: '{name}のセキュリティ',
  lead: '組織を使用するためにメンバーに求める、サインインの条件です。',
  section: '2つ目の認証要素',
  isRequired: 'すべてのメンバーに必須',
  isNotRequired: '必須ではありません',
  text: '必須にすると、メンバーはセッション中にパスキーまたはワンタイムコードで確認するまで、{name}で何も操作できません。サインインしたままの状態で、ポータルで確認を求められます。未設定の場合は、そこで設定できます。',
  require: '2つ目の認証要素を必須にする',
  stopRequiring: '必須の設定を解除',
  required: '{name}で2つ目の認証要素が必須になりました。',
  notRequired: '{name}で2つ目の認証要素は必須ではなくなりました。',
  notAllowed: 'この組織でのあなたの役割では、これを変更できません。',
};

export const deleteOrganization: Translated<typeof english.deleteOrganization> = {
  title: '{name}の削除',
  lead: '7日間は、所有者が元の状態に復元できます。その後は完全に削除されます。',
  text: 'メンバーはすぐにアクセスできなくなり、招待も使用できなくなります。すべての所有者にメールが届きます。',
  typeName: '確認のため「{name}」と入力してください',
  nameMissing: '組織の名前を入力してください。',
  submit: '組織を削除',
  notOwner: '組織を削除できるのは所有者だけです。',
  SUBSCRIPTION_ACTIVE: '組織に契約中のプランがあります。先に「プラン」で解約してください。',
};
