/** The messages of ../../en/organization/organizations.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organizations.ts';

export const newOrganization: Translated<typeof english.newOrganization> = {
  title: '組織を作成',
  lead: 'あなたが所有者になり、ほかの人を招待できます。すでに所属している組織は、そのまま変わりません。',
  name: '組織の名前',
  submit: '組織を作成',
  notSwitchedTitle: '{name}を作成しました',
  notSwitched: '組織の切り替えに失敗しました。所属する組織の一覧から選択できます。',
  open: '{name}を開く',
};

export const renameOrganization: Translated<typeof english.renameOrganization> = {
  title: '組織の名前',
  lead: 'すべてのメンバーと招待に表示されます。',
  open: '名前を変更',
  name: '名前',
  submit: '名前を保存',
  done: '組織の名前を{name}に変更しました。',
};

export const deletedOrganizations: Translated<typeof english.deletedOrganizations> = {
  open: 'この組織を削除',
  title: '削除された組織',
  until: '{date}に完全に削除',
  restore: '復元',
  restoreOne: '{name}を復元',
  askOwner: 'それまでは、所有者が復元できます。',
};
